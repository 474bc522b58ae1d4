import { Fault } from '../components/Fault.js';
import { t } from '../texts/texts.js';
import type { useUpload } from './use-upload.js';

/** Why a file was not uploaded, or that it may have been. */
export function UploadFault({ of: { error, tryAgain } }: { readonly of: ReturnType<typeof useUpload> }) {
  return (
    <>
      <Fault error={error} />
      {tryAgain === undefined ? null : (
        <button type="button" onClick={tryAgain}>
          {t.actions.tryAgain}
        </button>
      )}
    </>
  );
}
