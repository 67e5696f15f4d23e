import type { Push, PushOutcome, PushService } from '../../src/shared/platform/adapters/push/push.port.ts'

/** A push to one device. */
export interface PushToDevice extends Push {
  token: string
}

/** A push service that records the pushes. */
export interface RecordingPush extends PushService {
  /** The number of devices of each call. */
  calls: number[]
  /** All attempts, in order. */
  tries: PushToDevice[]
  /** The accepted pushes. */
  taken: PushToDevice[]
  /** Sets the result of the next attempt for a token. */
  answer(token: string, state: 'gone' | 'refused' | 'unavailable'): void
  /** The tokens that the service cannot reach, until the test removes them. */
  away: Set<string>
}

const UNREACHABLE: PushOutcome = { state: 'unavailable', reason: 'said-so' }

export function createRecordingPush(): RecordingPush {
  const answers = new Map<string, PushOutcome>()
  const away = new Set<string>()
  const calls: number[] = []
  const tries: PushToDevice[] = []
  const taken: PushToDevice[] = []
  return {
    calls,
    tries,
    taken,
    away,
    answer: (token, state) => answers.set(token, state === 'gone' ? { state } : { state, reason: 'said-so' }),
    async multicast(push, tokens) {
      calls.push(tokens.length)
      return tokens.map((token) => {
        tries.push({ ...push, token })
        const answer: PushOutcome | undefined = away.has(token) ? UNREACHABLE : answers.get(token)
        answers.delete(token)
        if (!answer) taken.push({ ...push, token })
        return answer ?? { state: 'taken' }
      })
    },
    async close() {},
  }
}
