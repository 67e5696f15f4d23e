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
}

export function createRecordingPush(): RecordingPush {
  const answers = new Map<string, PushOutcome>()
  const calls: number[] = []
  const tries: PushToDevice[] = []
  const taken: PushToDevice[] = []
  return {
    calls,
    tries,
    taken,
    answer: (token, state) => answers.set(token, state === 'gone' ? { state } : { state, reason: 'said-so' }),
    async multicast(push, tokens) {
      calls.push(tokens.length)
      return tokens.map((token) => {
        tries.push({ ...push, token })
        const answer = answers.get(token)
        answers.delete(token)
        if (!answer) taken.push({ ...push, token })
        return answer ?? { state: 'taken' }
      })
    },
    async close() {},
  }
}
