import jsQR from 'jsqr';
import type { Locator, Page } from 'playwright-core';
import PDFParser from 'pdf2json';

/** The texts of each page of a PDF, without ligatures and spaces, which depend on the font. */
export function pagesOf(pdf: Buffer): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const parser = new PDFParser();
    parser.on('pdfParser_dataError', reject);
    parser.on('pdfParser_dataReady', ({ Pages }) => {
      const textOf = ({ Texts }: (typeof Pages)[number]) =>
        Texts.flatMap(({ R }) => R.map(({ T }) => T))
          .join('')
          .normalize('NFKC')
          .replace(/\s/g, '');
      resolve(Pages.map(textOf));
    });
    // Without warnings.
    parser.parseBuffer(pdf, -1);
  });
}

// The package exports the function itself, unlike its types.
const decode = jsQR as unknown as typeof jsQR.default;

/** Reads a QR code on the page, as a scanner does. */
export async function scan(page: Page, code: Locator): Promise<string | undefined> {
  const png = (await code.screenshot()).toString('base64');
  // An empty page has no policy that forbids the picture.
  const scanner = await page.context().newPage();
  const { data, width, height } = await scanner.evaluate<{
    data: number[];
    width: number;
    height: number;
  }>(`(async () => {
    const picture = new Image();
    picture.src = 'data:image/png;base64,${png}';
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    canvas.drawImage(picture, 0, 0);
    const { data, width, height } = canvas.getImageData(0, 0, picture.width, picture.height);
    return { data: [...data], width, height };
  })()`);
  await scanner.close();
  return decode(new Uint8ClampedArray(data), width, height)?.data;
}
