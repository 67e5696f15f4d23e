import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The variables that a process is given; an empty one counts as unset. */
export type Environment = Record<string, string | undefined>

/** One of our processes, with its log in a file. */
export interface ServiceProcess {
  /** Settles with one line when the process ends though nobody stopped it. */
  exited: Promise<string>
  /** Lets it finish what it has in hand and end. */
  stop(): Promise<void>
}

export interface ServiceProcessOptions {
  /** In messages, and the name of its log. */
  name: string
  /** From the root of the project: `src/api/server.ts`. */
  script: string
  environment: Environment
  logDirectory: string
}

const root = join(import.meta.dirname, '../../..')
const READY_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 30_000

/**
 * Starts a process of ours and answers when it says that it is ready. It has a session of its own, so that Ctrl-C in a
 * terminal leaves its end to us, and ends with us through its IPC channel. The log of the run before stays beside its
 * own. @throws Error with the line that the process left when it ended before it was ready.
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const log = openLogFile(join(options.logDirectory, `${options.name}.log`))
  const child = spawn(process.execPath, [join(root, options.script)], {
    cwd: root,
    env: options.environment,
    detached: true,
    stdio: ['ignore', log.descriptor, 'pipe', 'ipc'],
  })
  let lastWords = ''
  const errors = createInterface({ input: child.stderr! })
  errors.on('line', (line) => {
    if (line.startsWith('flightline: ')) lastWords = line.replace(/^flightline: (cannot start: )?/, '')
    log.write(line)
  })
  const ended = endOf(child).then((how) => {
    log.close()
    return lastWords || `the ${options.name} process ended unexpectedly (${how}), see ${log.file}`
  })
  await untilReady(child, ended, options.name)
  let stopping = false
  return {
    exited: new Promise((resolve) => {
      void ended.then((line) => stopping || resolve(line))
    }),
    async stop() {
      stopping = true
      child.kill('SIGTERM')
      const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
      await ended
      clearTimeout(impatience)
    },
  }
}

function openLogFile(file: string) {
  try {
    renameSync(file, file.replace(/\.log$/, '.previous.log'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const descriptor = openSync(file, 'a', 0o600)
  return {
    file,
    descriptor,
    write: (line: string) => writeSync(descriptor, `${line}\n`),
    close: () => closeSync(descriptor),
  }
}

/** Settles when the process has ended and all that it wrote has been read. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => child.pid === undefined && resolve(error.message))
    child.on('close', (code, signal) => resolve(signal === null ? `code ${code}` : signal))
  })
}

async function untilReady(child: ChildProcess, ended: Promise<string>, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the ${name} process was not ready within ${READY_WITHIN_MS / 1000} seconds`))
    }, READY_WITHIN_MS)
  })
  const ready = new Promise<void>((resolve) => {
    child.once('message', () => resolve())
  })
  const failed = ended.then((line) => {
    throw new Error(line)
  })
  try {
    await Promise.race([ready, failed, late])
  } finally {
    clearTimeout(timer)
  }
}
