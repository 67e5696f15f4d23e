import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type RunAs, spawnOptions } from './run-as.ts'

/**
 * Reads the server's pid, then waits until its input pipe is closed. Only the Node process holds the pipe open, so it
 * closes when that process ends. Then stops the server with a fast shutdown (SIGINT).
 */
const SCRIPT = `trap '' HUP INT TERM
read -r server || exit 0
while read -r line; do :; done
kill -INT "$server"`

/** Stops the server when the process that started it ends, `kill -9` included. */
interface Watchdog {
  watch(server: number): void
  /** Stops watching. Call it when the server has ended, since its pid can be reused. */
  release(): void
}

/** Starts a watchdog in its own session, so that Ctrl-C in a terminal does not reach it. */
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
