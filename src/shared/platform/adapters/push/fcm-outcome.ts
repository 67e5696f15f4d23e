import type { FirebaseError } from 'firebase-admin/app'
import type { PushOutcome } from './push.port.ts'

const DETAIL = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'

/**
 * What a failed push means for its device. The service's own code decides, not the SDK's: that one calls a project that
 * does not exist and a key without permission by the names of a device that is gone, and every token would be dropped.
 */
export function outcomeOf(error: unknown): PushOutcome {
  const { code = 'unknown', httpResponse } = error as Partial<FirebaseError>
  const answer = httpResponse && readAnswer(httpResponse.data)
  const name = answer?.code ?? answer?.status ?? code.replace(/^.*\//, '')
  const reason = name.toLowerCase().replaceAll('_', '-')
  switch (answer?.code) {
    case 'UNREGISTERED':
      return { state: 'gone' }
    // The device is another project's: more likely than that it moved, the account is the wrong one.
    case 'SENDER_ID_MISMATCH':
      return { state: 'refused', reason }
    case 'INVALID_ARGUMENT':
      return answer.aboutToken ? { state: 'gone' } : { state: 'refused', reason }
  }
  // Without an answer it is the SDK that found fault with the message, or the network that failed.
  const refused = httpResponse ? httpResponse.status === 400 : code.startsWith('messaging/')
  return { state: refused ? 'refused' : 'unavailable', reason }
}

interface Answer {
  /** The service's code for this one push; null when the answer is about something else. */
  code: string | null
  /** Google's general word for what is wrong. */
  status: string | null
  aboutToken: boolean
}

function readAnswer(data: unknown): Answer {
  const error = part(data, 'error')
  const details = part(error, 'details')
  const detail = Array.isArray(details) ? details.find((one) => part(one, '@type') === DETAIL) : undefined
  return {
    code: nameIn(part(detail, 'errorCode')),
    status: nameIn(part(error, 'status')),
    // A token that was never one is told from other bad arguments by the service's words alone.
    aboutToken: /registration token/i.test(String(part(error, 'message'))),
  }
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** A code as Google writes them; anything else could be whatever somebody in between makes up. */
function nameIn(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z_]{1,50}$/.test(value) ? value : null
}
