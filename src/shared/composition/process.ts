import { type DestinationStream, type Logger, pino } from 'pino'
import { type Config, type ConfigDefaults, ConfigError, readConfig } from '../platform/config/config.ts'
import { configWarnings } from '../platform/config/config-warnings.ts'
import { describeConfig } from '../platform/config/describe-config.ts'
import { whyUnusable } from '../platform/db/is-unusable.ts'

/** Opens the log of a process: JSON lines, on standard output by default, with secrets removed. */
export function openLog(config: Pick<Config, 'LOG_LEVEL'>, to?: DestinationStream): Logger {
  const options = {
    level: config.LOG_LEVEL,
    redact: { paths: ['req.headers', 'headers', '*.password', '*.token', '*.authorization'], remove: true },
    serializers: { err: describeError },
  }
  return to ? pino(options, to) : pino(options)
}

/** Returns an error for the log: type, message, code, stack and causes; without the values of a query. */
function describeError(error: Error & { code?: string; cause?: unknown }): object {
  return {
    type: error.name,
    message: error.message.split('\n')[0]?.slice(0, 500),
    code: error.code,
    stack: places(error.stack).slice(0, 11).join('\n'),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  }
}

/** Returns the lines of a stack without the message, which can contain the row that the database rejected. */
function places(stack = ''): string[] {
  return stack.split('\n').filter((line) => line.startsWith('    at '))
}

/** Returns the configuration, or exits with one line about what is wrong with it. */
export function configOrExit(defaults: ConfigDefaults): Config {
  try {
    return readConfig(process.env, defaults)
  } catch (error) {
    return exitWith(error)
  }
}

/** Logs what a configuration turns on and off, and which variables are probably mistakes. */
export function logConfig(log: Logger, config: Config): void {
  for (const line of configWarnings(process.env)) log.warn({}, line)
  log.info({}, describeConfig(config))
}

/** Exits a process that cannot start, with one line that names the cause. */
export function exitWith(error: unknown): never {
  const line = error instanceof Error ? (whyUnusable(error) ?? error.message.split('\n')[0]) : String(error)
  process.stderr.write(`flightline: ${error instanceof ConfigError ? line : `cannot start: ${line}`}\n`)
  process.exit(1)
}

/**
 * Ctrl-C in a terminal sends SIGINT twice to a process under npm: directly, and through npm. A second signal within
 * this time counts as the same one.
 */
const SAME_SIGNAL_MS = 500

/** The most milliseconds that `stop` may take, so that a process exits within 30 seconds of the signal. */
const STOP_WITHIN_MS = 28_000

/**
 * Runs `stop` on the first SIGTERM or SIGINT, and exits with code 0. A second signal exits immediately with code 130; a
 * failed stop, or one of more than 28 s, exits with code 1. `log` receives "stopping" and the result. The process also
 * stops when a parent process with an IPC channel ends. Returns a function that stops the process in the same way with
 * another exit code.
 */
export function onStop(stop: () => Promise<void>, log: (word: string) => void = () => {}): (code: number) => void {
  let stoppingSince: number | undefined
  const exit = (code: number, word: string) => {
    log(word)
    process.exit(code)
  }
  const begin = (code: number) => {
    stoppingSince = performance.now()
    log('stopping')
    setTimeout(() => exit(1, 'not stopped in time: ending with work in hand'), STOP_WITHIN_MS)
    stop().then(
      () => exit(code, 'stopped'),
      (error: Error) => exit(1, `stopped badly: ${error.message}`),
    )
  }
  const onSignal = () => {
    if (stoppingSince === undefined) begin(0)
    else if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(130)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (process.send) process.on('disconnect', onSignal)
  return (code) => {
    if (stoppingSince === undefined) begin(code)
  }
}
