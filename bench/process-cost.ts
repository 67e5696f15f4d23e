import { readdirSync, readFileSync } from 'node:fs'

/** The clock ticks of a second in which Linux counts processor time. */
const TICKS = 100

/** Returns whether the costs of processes can be read here. */
export const readsCosts = () => process.platform === 'linux'

/** Returns the fields of `/proc/<pid>/stat` after the name; none when the process has ended. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/** Returns a process and all processes that it started, and those that these started. */
export function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(statOf(Number(name))[1]) }))
  const tree = [root]
  for (const pid of tree) tree.push(...parents.filter(({ parent }) => parent === pid).map((child) => child.pid))
  return tree
}

/** Returns the processor time of processes and of their children that have ended, in seconds. */
export function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => statOf(pid).slice(11, 15).map(Number))
  return ticks.reduce((sum, count) => sum + count, 0) / TICKS
}

/**
 * Returns the resident memory of the Node.js processes among these, in MB. Pages that they share, such as those of the
 * program, count once: as many as the process with the most of them has.
 */
export function residentMb(pids: readonly number[]): number {
  const held = pids.map(heldKbOf)
  return (held.reduce((sum, { own }) => sum + own, 0) + Math.max(...held.map(({ shared }) => shared))) / 1024
}

function heldKbOf(pid: number): { own: number; shared: number } {
  try {
    if (!/^Name:\s+(node|MainThread)$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return { own: 0, shared: 0 }
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1])
    const shared = kb('Shared_Clean') + kb('Shared_Dirty')
    return { own: kb('Rss') - shared, shared }
  } catch {
    return { own: 0, shared: 0 }
  }
}
