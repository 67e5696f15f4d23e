import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'
import type { Judged, ToJudge } from './password-judge.ts'

/**
 * The thread that judges passwords: one at a time, as `password-judge.ts` hands them over. An estimate takes a tenth of
 * a second of computing, which the event loop of an API must not spend.
 */
const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
  // Each way to undo "p@ssw0rd" is a search of its own: four find what people write, the default of 100 takes a second.
  l33tMaxSubstitutions: 4,
})
// The word lists are ranked by the first estimate.
estimator.check('clear prop', [])

parentPort?.on('message', ({ password, words }: ToJudge) => {
  const { score, feedback } = estimator.check(password, words)
  const advice = [feedback.warning, ...feedback.suggestions].filter(Boolean).join(' ')
  parentPort?.postMessage({ score, advice } satisfies Judged)
})
parentPort?.postMessage('ready')
