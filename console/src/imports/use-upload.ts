import { useMutation, useQueryClient } from '@tanstack/react-query';
import { mayBeDone, type DryRun, type UploadOptions } from '@waybill/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { isForgotten } from '../model/keys.js';
import { explainOpen } from '../components/faults.js';
import { safely } from '../safely.js';
import { t } from '../texts/texts.js';
import { importQuery, sendFile } from './import-queries.js';

/** How the cells of a file are to be read. */
export type Notation = Pick<UploadOptions, 'dates' | 'decimal'>;

/** The last file that this tab uploaded and whose cells can be read in several ways. */
interface OpenQuestion {
  readonly id: string;
  readonly file: File;
  readonly cells: DryRun['ambiguousCells'];
}

let openQuestion: OpenQuestion | undefined;

/** The file of an ambiguous import, unless the page was loaded again or somebody else uploaded it. */
export function openQuestionOf(id: string): OpenQuestion | undefined {
  return openQuestion?.id === id ? openQuestion : undefined;
}

/** Uploads a file and opens its dry run. */
export function useUpload(notation: Notation, options?: { readonly replace: boolean }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: sendFile,
    onSuccess: (sent, { file }) => {
      if (sent.state === 'ambiguous') openQuestion = { id: sent.id, file, cells: sent.ambiguousCells };
      safely(
        () => queries.setQueryData(importQuery(sent.id).queryKey, sent),
        () => navigate(`/imports/${sent.id}`, options),
      );
    },
  });
  const [isTooLate, setIsTooLate] = useState(false);
  const isOpen = error !== null && !isTooLate && mayBeDone(error, variables.isOpen);
  return {
    /** The name of the file that is being uploaded. */
    pending: isPending ? variables.file.name : undefined,
    error: isTooLate ? t.faults.forgotten : isOpen ? explainOpen(error, 'uploaded') : error,
    upload: (file: File) => {
      setIsTooLate(false);
      mutate({ file, notation, key: crypto.randomUUID(), at: Date.now(), isOpen: false });
    },
    /** Finds out whether the file was uploaded, by uploading it again under the same key. */
    tryAgain: isOpen
      ? () => {
          // Uploaded again under a forgotten key, it would be another import. The page lists the last ones.
          if (isForgotten(variables.at, Date.now())) setIsTooLate(true);
          else mutate({ ...variables, isOpen });
        }
      : undefined,
  };
}
