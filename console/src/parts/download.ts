/** Lets the browser save a file under a name. */
export async function download(file: ReadableStream<Uint8Array>, name: string): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await new Response(file).blob());
  link.download = name;
  link.click();
  // Once the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
