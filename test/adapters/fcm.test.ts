import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFcmPush } from '../../src/shared/platform/adapters/push/fcm.ts'
import type { PushService } from '../../src/shared/platform/adapters/push/push.port.ts'
import type { FcmFault } from '../support/fcm-simulator.ts'
import { type FcmSimulator, startFcmSimulator } from '../support/fcm-simulator.ts'

let fcm: FcmSimulator
let push: PushService
let key: string
beforeAll(async () => {
  fcm = await startFcmSimulator()
  push = pushWith({})
})
afterAll(async () => {
  await push.close()
  await fcm.close()
})
beforeEach(() => {
  key = crypto.randomUUID()
})

function pushWith(given: { clientEmail?: string; total?: number; signIn?: number; apiBase?: string }): PushService {
  const { project_id, client_email, private_key, token_uri } = fcm.serviceAccount
  const { clientEmail = client_email, total, signIn, apiBase = fcm.url } = given
  return createFcmPush({
    account: { projectId: project_id, clientEmail, privateKey: private_key, tokenUri: token_uri },
    apiBase,
    timeouts: { ...(total && { total }), ...(signIn && { signIn }) },
  })
}

const said = {
  title: 'New booking',
  body: 'Tomorrow, 10:00',
  data: { kind: 'reservation_created', reservationId: '7' },
}

/** Tokens of this test alone. */
const tokens = (...names: string[]) => names.map((name) => `${key}-${name}`)

describe('a push through Firebase', () => {
  test('reaches each device with what it says, and replaces itself there under the same key', async () => {
    const [phone, tablet] = tokens('phone', 'tablet')
    const outcomes = await push.multicast({ ...said, key }, [phone!, tablet!])
    expect(outcomes).toEqual([{ state: 'taken' }, { state: 'taken' }])
    expect(fcm.taken.filter(({ token }) => token === phone)).toEqual([
      {
        token: phone,
        notification: { title: 'New booking', body: 'Tomorrow, 10:00' },
        data: { kind: 'reservation_created', reservationId: '7' },
        android: { collapse_key: key, priority: 'high', notification: { tag: key } },
        apns: {
          headers: { 'apns-collapse-id': key, 'apns-priority': '10' },
          payload: { aps: { sound: 'default' } },
        },
        webpush: { notification: { tag: key } },
      },
    ])
    await push.multicast({ ...said, key }, [phone!])
    expect(fcm.shownOn(phone!)).toEqual(['New booking'])
  })

  test('signs in once for many', async () => {
    const before = fcm.tokensGiven
    const outcomes = await push.multicast(
      { ...said, key },
      tokens(...Array.from({ length: 500 }, (_, index) => `${index}`)),
    )
    expect(outcomes.filter(({ state }) => state === 'taken')).toHaveLength(500)
    expect(fcm.tokensGiven - before).toBeLessThanOrEqual(1)
  })

  const outcomes: [FcmFault, object][] = [
    ['unregistered', { state: 'gone' }],
    ['no_such_token', { state: 'gone' }],
    ['other_sender', { state: 'refused', reason: 'sender-id-mismatch' }],
    ['bad_argument', { state: 'refused', reason: 'invalid-argument' }],
    ['no_apns_key', { state: 'unavailable', reason: 'third-party-auth-error' }],
    ['quota', { state: 'unavailable', reason: 'quota-exceeded' }],
    ['internal', { state: 'unavailable', reason: 'internal' }],
    ['gateway', { state: 'unavailable', reason: 'unknown-error' }],
    ['unavailable', { state: 'unavailable', reason: 'unavailable' }],
  ]
  test.each(outcomes)('that meets %s says so of that device alone', async (fault, outcome) => {
    const [one, other] = tokens('one', 'other')
    fcm.answer(one!, fault)
    const met = await push.multicast({ ...said, key }, [one!, other!])
    expect(met).toEqual([outcome, { state: 'taken' }])
  })

  test.each([
    ['no_such_project', 'not-found'],
    ['no_permission', 'permission-denied'],
  ] as const)('that is refused because of our own account (%s) loses no device', async (fault, reason) => {
    const [phone] = tokens('phone')
    fcm.answer(phone!, fault)
    expect(await push.multicast({ ...said, key }, [phone!])).toEqual([{ state: 'unavailable', reason }])
  })

  test('whose connection breaks is tried again at once', async () => {
    const [phone] = tokens('phone')
    fcm.answer(phone!, 'cut')
    expect(await push.multicast({ ...said, key }, [phone!])).toEqual([{ state: 'taken' }])
  })

  test('that finds a message at fault before it is sent is refused', async () => {
    expect(await push.multicast({ ...said, data: { '': 1 as unknown as string }, key }, tokens('phone'))).toMatchObject(
      [{ state: 'refused' }],
    )
  })
})

describe('a service that does not answer', () => {
  test('is left after the stated time, and who has the push already is known', async () => {
    const hasty = pushWith({ total: 500 })
    const [silent, quick] = tokens('silent', 'quick')
    fcm.answer(silent!, 'hang')
    expect(await hasty.multicast({ ...said, key }, [silent!, quick!])).toEqual([
      { state: 'unavailable', reason: 'timeout' },
      { state: 'taken' },
    ])
    await hasty.close()
  })

  test('to the sign-in is left too, and asked afresh the next time', async () => {
    const hasty = pushWith({ signIn: 200 })
    fcm.signIn = 'silent'
    expect(await hasty.multicast({ ...said, key }, tokens('phone'))).toMatchObject([{ state: 'unavailable' }])
    fcm.signIn = 'open'
    expect(await hasty.multicast({ ...said, key }, tokens('phone'))).toEqual([{ state: 'taken' }])
    await hasty.close()
  })

  test('because nothing listens there is tried later', async () => {
    const nowhere = pushWith({ apiBase: 'http://127.0.0.1:9', total: 5_000 })
    expect(await nowhere.multicast({ ...said, key }, tokens('phone'))).toMatchObject([{ state: 'unavailable' }])
    await nowhere.close()
  })

  test('for a long wish to come back later holds nobody up', async () => {
    const [busy] = tokens('busy')
    fcm.answer(busy!, 'unavailable')
    const started = performance.now()
    await push.multicast({ ...said, key }, [busy!])
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

test('a key that the service does not accept reaches nobody, and loses no device', async () => {
  const stranger = pushWith({ clientEmail: 'stranger@elsewhere.iam.gserviceaccount.com' })
  const outcomes = await stranger.multicast({ ...said, key }, tokens('phone', 'tablet'))
  expect(outcomes).toEqual([
    { state: 'unavailable', reason: 'invalid-credential' },
    { state: 'unavailable', reason: 'invalid-credential' },
  ])
  await stranger.close()
})
