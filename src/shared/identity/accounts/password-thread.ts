import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'
import type { Estimate, EstimateRequest } from './password-judge.ts'

/**
 * The worker thread that estimates passwords, one at a time. An estimate takes about 0.1 s of CPU time, which would
 * block the event loop of the API.
 */
const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
  // zxcvbn searches once per set of substitutions ("p@ssw0rd"). Four sets find the common spellings; the default of
  // 100 takes a second.
  l33tMaxSubstitutions: 4,
})
// The first estimate builds the ranked word lists.
estimator.check('clear prop', [])

parentPort?.on('message', ({ password, words }: EstimateRequest) => {
  const { score, feedback } = estimator.check(password, words)
  const advice = [feedback.warning, ...feedback.suggestions].filter(Boolean).join(' ')
  parentPort?.postMessage({ score, advice } satisfies Estimate)
})
parentPort?.postMessage('ready')
