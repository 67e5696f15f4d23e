import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeSettings } from '../../bin/node-settings.mjs'

/** The environment variables of a process; an empty one counts as unset. */
export type Environment = Record<string, string | undefined>

/** A process of the service, with its log in a file. */
export interface ServiceProcess {
  /** Resolves with one line when the process ends unexpectedly. */
  exited: Promise<string>
  /** Stops it gracefully: current work is finished first. */
  stop(): Promise<void>
}

export interface ServiceProcessOptions {
  /** The name in messages and of the log file. */
  name: string
  /** The command of `flightline` that the process runs, such as `worker`. */
  command: string
  environment: Environment
  logDirectory: string
}

const root = join(import.meta.dirname, '../..')
/** The processes of the all-in-one that share its memory: this one, the API and the workers. */
const OF_ALL_IN_ONE = 3
const READY_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 30_000

/**
 * Starts a process and resolves when it reports that it is ready. It has its own session, so that Ctrl-C in a terminal
 * does not reach it. It ends when this process ends, because the IPC channel between them closes. The log of the
 * previous run is kept as `<name>.previous.log`.
 * @throws Error with the last line of the process when it ends before it is ready, or when it is not ready within 60
 * seconds.
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const log = openLogFile(join(options.logDirectory, `${options.name}.log`))
  const { flags, env } = nodeSettings({ processes: OF_ALL_IN_ONE, env: options.environment })
  const child = spawn(process.execPath, [...flags, join(root, 'bin/flightline.mjs'), options.command], {
    cwd: root,
    env: { ...options.environment, ...env },
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

/** Resolves when the process has ended and all its output is read. */
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
