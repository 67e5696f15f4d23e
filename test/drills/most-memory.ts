import { readFileSync } from 'node:fs'

/** Returns the most memory that a process had so far, in MiB. */
export function mostMemory(pid: number): number {
  const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.ceil(Number(kibibytes) / 1_024)
}
