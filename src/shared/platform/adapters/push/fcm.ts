import { randomUUID } from 'node:crypto'
import { deleteApp, initializeApp } from 'firebase-admin/app'
import { getMessaging, type Message } from 'firebase-admin/messaging'
import { limitRunningTime } from '../../kernel/running-time.ts'
import { createFcmAgent } from './fcm-agent.ts'
import { createFcmCredential, type FcmAccount } from './fcm-credential.ts'
import { outcomeOf } from './fcm-outcome.ts'
import type { Push, PushOutcome, PushService } from './push.port.ts'

/** Time limits in milliseconds. */
export interface FcmTimeouts {
  /** The sign-in. */
  signIn: number
  /** All devices of one push, with the SDK's retries, counting only time in which the process runs. */
  total: number
}

export interface FcmOptions {
  account: FcmAccount
  /** Another URL than Google's: a gateway or a simulator. */
  apiBase?: string | undefined
  timeouts?: Partial<FcmTimeouts>
}

/** Shorter than the time limit of a delivery's call, so that the call returns the outcome of each device. */
const TIMEOUTS: FcmTimeouts = { signIn: 10_000, total: 18_000 }

/** The most devices to which one push is sent at the same time. */
const AT_ONCE = 50

/**
 * Creates a push service for Firebase Cloud Messaging with Google's SDK. It sends to each device separately and in parallel.
 * The SDK's multicast resolves only after the retries of the slowest of 500 devices, so after a time-out it would be unknown
 * which devices got the push.
 * Implements docs/decisions/0012.
 * @throws Error when the account's key cannot be read
 */
export function createFcmPush({ account, apiBase, timeouts }: FcmOptions): PushService {
  const { signIn, total } = { ...TIMEOUTS, ...timeouts }
  const httpAgent = createFcmAgent(AT_ONCE, apiBase)
  const credential = createFcmCredential(account, signIn)
  const app = initializeApp({ credential, projectId: account.projectId, httpAgent }, randomUUID())
  const messaging = getMessaging(app)

  async function send(push: Push, token: string): Promise<PushOutcome> {
    try {
      await messaging.send(messageOf(push, token))
      return { state: 'taken' }
    } catch (error) {
      return outcomeOf(error)
    }
  }

  return {
    async multicast(push, tokens) {
      const outcomes: PushOutcome[] = tokens.map(() => ({ state: 'unavailable', reason: 'timeout' }))
      const waiting = tokens.entries()
      let over = false
      async function takeTurns(): Promise<void> {
        for (const [index, token] of waiting) {
          if (over) return
          outcomes[index] = await send(push, token)
        }
      }
      const lanes = Array.from({ length: Math.min(AT_ONCE, tokens.length) }, takeTurns)
      await withinTime(Promise.all(lanes), total)
      over = true
      return [...outcomes]
    },
    async close() {
      await deleteApp(app)
      httpAgent.destroy()
    },
  }
}

/**
 * Returns the message for a device. On the device it replaces an earlier message with the same key: by tag on Android and the
 * web, by collapse id on Apple devices.
 */
function messageOf({ title, body, data, key }: Push, token: string): Message {
  return {
    token,
    notification: { title, body },
    data,
    android: { collapseKey: key, priority: 'high', notification: { tag: key } },
    apns: { headers: { 'apns-collapse-id': key, 'apns-priority': '10' }, payload: { aps: { sound: 'default' } } },
    webpush: { notification: { tag: key } },
  }
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  const { signal, clear } = limitRunningTime(ms)
  const timeUp = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([work, timeUp])
  clear()
}
