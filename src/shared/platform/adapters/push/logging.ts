import type { PushService } from './push.port.ts'

/** What it logs with: as much of pino as it needs. */
interface PushLog {
  info(data: object, message: string): void
}

/**
 * The push service of an installation that has none: each push becomes a line in the log and counts as sent. The line
 * says what it is about in ids; neither the devices' tokens nor what people are told is in it.
 */
export function createLoggingPush(log: PushLog): PushService {
  return {
    async multicast({ key, data }, tokens) {
      log.info({ push: key, about: data, devices: tokens.length }, 'push not sent: no push service is set up')
      return tokens.map(() => ({ state: 'taken' }))
    },
    async close() {},
  }
}
