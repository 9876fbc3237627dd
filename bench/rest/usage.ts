/** The resource usage of processes, as counted by the kernel (Linux). */
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Fields of `/proc/<pid>/stat` after the name, from the third on. */
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** CPU seconds of a process, without its children. */
export function cpuSeconds(pid: number): number {
  const stat = statOf(pid);
  return (Number(stat[11]) + Number(stat[12])) / ticksPerSecond;
}

/** CPU seconds of a process and its children, including those that have exited. */
export function cpuSecondsOfAll(pid: number): number {
  const stat = statOf(pid);
  const ended = (Number(stat[13]) + Number(stat[14])) / ticksPerSecond;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsIfThere(child), cpuSeconds(pid) + ended);
}

/** The running child processes of `pid`. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

function cpuSecondsIfThere(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch {
    return 0; // It ended in between.
  }
}

/** The current memory of a process, in megabytes. */
export function memoryMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
