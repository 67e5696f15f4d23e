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

/** Returns the resident memory of the Node.js processes among these, in MB. */
export function residentMb(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + residentKbOf(pid), 0) / 1024
}

function residentKbOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    if (!/^Name:\s+(node|MainThread)$/m.test(text)) return 0
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1])
  } catch {
    return 0
  }
}
