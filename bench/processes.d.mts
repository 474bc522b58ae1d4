export function parentOf(pid: number): number;
export function cpuOf(pid: number): number;
