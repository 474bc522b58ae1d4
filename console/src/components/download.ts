/** Saves a stream as a file. */
export async function download(file: ReadableStream<Uint8Array>, name: string): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await new Response(file).blob());
  link.download = name;
  link.click();
  // Leaves the browser time to start saving.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
