import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { apiTest } from '../../../support/fixtures.ts'

const test = apiTest().extend(
  'signUp',
  ({ api }) =>
    (body: object) =>
      api.call('POST', '/users', { body }),
)

test.beforeAll(async ({ api }) => {
  await api.core.passwordJudge.warm()
})

/** Takes the estimator long: 256 characters that could mean anything, and 36 words of a name. */
const hostile = () => ({
  name: Array.from({ length: 20 }, () => randomBytes(4).toString('hex')).join(' '),
  email: `${randomBytes(20).toString('hex')}@example.com`,
  password: randomBytes(192).toString('base64'),
})

describe('judging passwords (§Authentication and accounts)', () => {
  test('does not block the event loop, however many and long they are', async ({ signUp }) => {
    const before = performance.eventLoopUtilization()
    const answers = await Promise.all(Array.from({ length: 8 }, () => signUp(hostile())))
    const { utilization, active } = performance.eventLoopUtilization(before)
    // On a busy machine the last of them wait for more than their two seconds.
    expect(answers.filter(({ statusCode }) => ![201, 503].includes(statusCode))).toEqual([])
    // Judged on the event loop it is busy all of the time, for seconds.
    expect(utilization, `busy for ${Math.round(active)} ms`).toBeLessThan(0.5)
  })

  test('happens after the address was found free and the link was found valid', async ({ api, signUp }) => {
    const first = { ...hostile(), password: 'a long way to Tipperary' }
    expect((await signUp(first)).statusCode).toBe(201)
    const taken = await signUp({ ...first, password: 'password1234' })
    expect([taken.statusCode, taken.json().code]).toEqual([400, 'ALREADY_REGISTERED'])
    const invited = await signUp({ ...hostile(), password: 'password1234', invitationToken: 'guess' })
    expect(invited.json().message).toMatch(/^This invitation/)
    const body = { token: 'guess', password: 'password1234' }
    const reset = await api.call('POST', '/auth/reset-password', { body })
    expect([reset.statusCode, reset.json().message]).toEqual([400, expect.stringMatching(/^This link/)])
  })

  test('lets 64 callers wait two seconds each, and asks the others to come back in a second', async ({
    api,
    signUp,
  }) => {
    const judge = api.core.passwordJudge
    const began = performance.now()
    const waiting = Promise.allSettled(
      Array.from({ length: 64 }, () => judge.check(randomBytes(48).toString('base64'), hostile())),
    )
    const refused = await signUp(hostile())
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(performance.now() - began).toBeLessThan(1_500)
    expect(refused.json()).toEqual({ message: 'The service is busy. Please try again in a moment.' })
    await waiting
    // Whoever waited two seconds in vain was refused; then there is room again.
    while ((await signUp(hostile())).statusCode === 503) await pause(50)
  })

  test('judges once for callers who ask the same at the same time', async ({ api }) => {
    const judge = api.core.passwordJudge
    const about = hostile()
    const asked = Array.from({ length: 200 }, () => judge.check('another long way home', about))
    expect(await Promise.all(asked)).toHaveLength(200)
  })

  test('continues with a new thread when one ended', async ({ api, signUp }) => {
    await api.core.passwordJudge.close()
    expect((await signUp({ ...hostile(), password: 'a long way to Tipperary' })).statusCode).toBe(201)
  })
})
