/** What processes use, by the kernel's own account (Linux). */
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Fields of `/proc/<pid>/stat` behind the name, from the third on. */
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** Seconds of CPU that a process has taken, without its children. */
export function cpuSeconds(pid: number): number {
  const stat = statOf(pid);
  return (Number(stat[11]) + Number(stat[12])) / ticksPerSecond;
}

/** The same of a process and its children, those that ended among them. */
export function cpuSecondsOfAll(pid: number): number {
  const stat = statOf(pid);
  const ended = (Number(stat[13]) + Number(stat[14])) / ticksPerSecond;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsIfThere(child), cpuSeconds(pid) + ended);
}

/** The processes that `pid` started and that still run. */
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

/** Megabytes of memory that a process holds now. */
export function memoryMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
