export function checkOut(ref: string, folder: string): void;
