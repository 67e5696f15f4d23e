import type { FirebaseError } from 'firebase-admin/app'
import type { PushOutcome } from './push.port.ts'

const DETAIL = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'

/**
 * Returns the outcome of a failed push, from Firebase's own error code in the response. The SDK's code is not enough: it is
 * the same for an unregistered device, a missing project and a key without permission, so every token would be deleted.
 */
export function outcomeOf(error: unknown): PushOutcome {
  const { code = 'unknown', httpResponse } = error as Partial<FirebaseError>
  const answer = httpResponse && readAnswer(httpResponse.data)
  const name = answer?.code ?? answer?.status ?? code.replace(/^.*\//, '')
  const reason = name.toLowerCase().replaceAll('_', '-')
  switch (answer?.code) {
    case 'UNREGISTERED':
      return { state: 'gone' }
    // The device belongs to another project: probably the wrong account is configured.
    case 'SENDER_ID_MISMATCH':
      return { state: 'refused', reason }
    case 'INVALID_ARGUMENT':
      return answer.aboutToken ? { state: 'gone' } : { state: 'refused', reason }
  }
  // Without a response, the SDK rejected the message or the network failed.
  const refused = httpResponse ? httpResponse.status === 400 : code.startsWith('messaging/')
  return { state: refused ? 'refused' : 'unavailable', reason }
}

interface Answer {
  /** Firebase's error code of this push; null when the error is about something else. */
  code: string | null
  /** Google's general status. */
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
    // Only the message distinguishes a malformed token from other bad arguments.
    aboutToken: /registration token/i.test(String(part(error, 'message'))),
  }
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Returns a code in Google's format; null for any other value, such as the text of a proxy. */
function nameIn(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z_]{1,50}$/.test(value) ? value : null
}
