import {
  type Push,
  PushRefused,
  type PushService,
  PushTokenGone,
  PushUnavailable,
} from '../../src/shared/adapters/push/push.port.ts'

type Answer = 'gone' | 'refused' | 'unavailable'

/** A push service that keeps what it is given. */
export interface RecordingPush extends PushService {
  /** Every try, in order. */
  tries: Push[]
  /** What it took over. */
  taken: Push[]
  /** What the next try for a token meets. */
  answer(token: string, answer: Answer): void
}

export function createRecordingPush(): RecordingPush {
  const answers = new Map<string, Answer>()
  const tries: Push[] = []
  const taken: Push[] = []
  return {
    tries,
    taken,
    answer: (token, answer) => answers.set(token, answer),
    async send(push) {
      tries.push(push)
      const answer = answers.get(push.token)
      answers.delete(push.token)
      if (answer === 'gone') throw new PushTokenGone()
      if (answer === 'refused') throw new PushRefused('invalid-argument')
      if (answer === 'unavailable') throw new PushUnavailable('503')
      taken.push(push)
    },
  }
}
