import { type DestinationStream, type Logger, pino } from 'pino'
import { type Config, type ConfigDefaults, ConfigError, readConfig } from '../platform/config/config.ts'

/** The log of a process: JSON lines on standard output unless said otherwise; what could be secret is cut out. */
export function openLog(config: Pick<Config, 'LOG_LEVEL'>, to?: DestinationStream): Logger {
  const options = {
    level: config.LOG_LEVEL,
    redact: { paths: ['req.headers', 'headers', '*.password', '*.token', '*.authorization'], remove: true },
    serializers: { err: describeError },
  }
  return to ? pino(options, to) : pino(options)
}

/** An error for the log: kind, message, code and place; never the values that a query carried. */
function describeError(error: Error & { code?: string; cause?: unknown }): object {
  return {
    type: error.name,
    message: error.message.split('\n')[0]?.slice(0, 500),
    code: error.code,
    stack: places(error.stack).slice(0, 11).join('\n'),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  }
}

/** The lines of a stack that name places: the message before them can hold the row that the database refused. */
function places(stack = ''): string[] {
  return stack.split('\n').filter((line) => line.startsWith('    at '))
}

/** Reads the settings, or says in one line what is wrong with them and ends the process. */
export function configOrExit(defaults: ConfigDefaults): Config {
  try {
    return readConfig(process.env, defaults)
  } catch (error) {
    return exitWith(error)
  }
}

/** Ends a process that cannot start: one line, naming the variable or the port. */
export function exitWith(error: unknown): never {
  const line = error instanceof Error ? error.message.split('\n')[0] : String(error)
  process.stderr.write(`flightline: ${error instanceof ConfigError ? line : `cannot start: ${line}`}\n`)
  process.exit(1)
}

/** A terminal's Ctrl-C reaches a process that npm runs twice, at nearly the same time: once itself, once through npm. */
const SAME_SIGNAL_MS = 500

/** A process ends within 30 seconds of the signal, whatever stands in its way. */
const STOP_WITHIN_MS = 28_000

/**
 * Runs `stop` on the first SIGTERM or SIGINT and exits; a second signal ends at once, and so does a stop that takes too
 * long, with code 1. `tell` is for the log: "stopping", and how it ended. A parent that spawned this process with an IPC
 * channel and dies takes it along.
 */
export function onStop(stop: () => Promise<void>, tell: (word: string) => void = () => {}): void {
  let stoppingSince: number | undefined
  const exit = (code: number, word: string) => {
    tell(word)
    process.exit(code)
  }
  const begin = () => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now()
      tell('stopping')
      setTimeout(() => exit(1, 'not stopped in time: ending with work in hand'), STOP_WITHIN_MS)
      stop().then(
        () => exit(0, 'stopped'),
        (error: Error) => exit(1, `stopped badly: ${error.message}`),
      )
    } else if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(130)
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
  if (process.send) process.on('disconnect', begin)
}
