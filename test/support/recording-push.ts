import type { Push, PushOutcome, PushService } from '../../src/shared/platform/adapters/push/push.port.ts'

/** A push as one device got it, or was to get it. */
export interface PushToDevice extends Push {
  token: string
}

/** A push service that keeps what it is given. */
export interface RecordingPush extends PushService {
  /** How many devices each call was for. */
  calls: number[]
  /** Every try, in order. */
  tries: PushToDevice[]
  /** What it took over. */
  taken: PushToDevice[]
  /** What the next try for a token meets. */
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
