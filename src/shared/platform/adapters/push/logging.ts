import type { PushService } from './push.port.ts'

/** The part of pino's interface that it uses. */
interface PushLog {
  info(data: object, message: string): void
}

/**
 * Creates a push service that logs each push and counts it as sent, for installations without one. The line has ids
 * only, neither device tokens nor content.
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
