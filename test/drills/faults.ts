import { setTimeout as pause } from 'node:timers/promises'

/** SIGSTOP for so many seconds, then SIGCONT; however it ends, nothing stays stopped. */
export async function stopFor(seconds: number, pids: readonly number[]): Promise<void> {
  signal(pids, 'SIGSTOP')
  try {
    await pause(seconds * 1_000)
  } finally {
    signal(pids, 'SIGCONT')
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // A process that has ended meanwhile.
    }
  }
}
