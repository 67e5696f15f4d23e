import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type RunAs, spawnOptions } from './run-as.ts'

/**
 * Reads the server's process id and then waits for the end of the pipe that only our process holds open: it comes with
 * our death of whatever kind. A fast shutdown (SIGINT) follows.
 */
const SCRIPT = `trap '' HUP INT TERM
read -r server || exit 0
while read -r line; do :; done
kill -INT "$server"`

/** Ends the server when the process that started it dies, `kill -9` included. */
interface Watchdog {
  watch(server: number): void
  /** Lets go of the server. Call it once the server has ended, since its process id may become another's. */
  release(): void
}

/** Starts a watchdog, in a session of its own so that Ctrl-C in a terminal does not reach it. */
export async function startWatchdog(runAs: RunAs): Promise<Watchdog> {
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    ...spawnOptions(runAs),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  await once(child, 'spawn')
  const pipe = child.stdin as Socket
  pipe.on('error', () => undefined)
  pipe.unref()
  child.unref()
  return {
    watch(server) {
      pipe.write(`${server}\n`)
    },
    release() {
      child.kill('SIGKILL')
      pipe.destroy()
    },
  }
}
