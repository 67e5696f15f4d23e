import { readFile } from 'node:fs/promises'
import { type Config, ConfigError } from '../../config/config.ts'
import type { FcmAccount } from './fcm-credential.ts'
import type { PushService } from './push.port.ts'

/**
 * Returns Firebase Cloud Messaging when a service account is configured, as JSON or as a file path; otherwise a push service
 * that only logs.
 * @throws ConfigError when the setting is neither the JSON of a service account nor the path of such a file
 */
export async function openPush(config: Config, log: Parameters<typeof createLoggingPush>[0]): Promise<PushService> {
  const { FIREBASE_SERVICE_ACCOUNT: given, FIREBASE_API_BASE: apiBase } = config
  if (!given) return createLoggingPush(log)
  // The SDK is large, so it is loaded only when an account is configured.
  const { createFcmPush } = await import('./fcm.ts')
  try {
    const read: unknown = JSON.parse(given.trim().startsWith('{') ? given : await readFile(given, 'utf8'))
    return createFcmPush({ account: accountOf(read), apiBase })
  } catch {
    // The error can contain a part of the key, so it is not passed on.
    throw new ConfigError(
      'FIREBASE_SERVICE_ACCOUNT: is neither the JSON of a service account nor the path of such a file',
    )
  }
}

function accountOf(read: unknown): FcmAccount {
  const file = new Map(Object.entries(read as object))
  const field = (name: string, usual = ''): string => {
    const value: unknown = file.get(name) ?? usual
    if (typeof value !== 'string' || value === '') throw new Error(name)
    return value
  }
  const tokenUri = new URL(field('token_uri', 'https://oauth2.googleapis.com/token')).href
  return {
    projectId: field('project_id'),
    clientEmail: field('client_email'),
    privateKey: field('private_key'),
    tokenUri,
  }
}

/** The part of pino's interface that the logging service uses. */
interface PushLog {
  info(data: object, message: string): void
}

/**
 * Creates a push service that logs each push and reports it as accepted, for installations without a push service. The log
 * line has only ids, neither device tokens nor content.
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
