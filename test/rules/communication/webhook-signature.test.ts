import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { drawSecret, signedHeaders } from '../../../src/shared/communication/webhooks/signature.ts'

const body = '{"type":"reservation.created","data":{"label":"Ä"}}'

test('a signed webhook is accepted by the published library, with the bytes that were signed', () => {
  const secret = drawSecret()
  const headers = signedHeaders({ id: 'evt_1', at: new Date(), body }, [secret])
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(secret).verify(body.replace('Ä', 'A'), headers)).toThrow('No matching signature')
  expect(() => new Webhook(drawSecret()).verify(body, headers)).toThrow('No matching signature')
})

test('a webhook that is signed with a new and an old secret is accepted with either', () => {
  const [newer, older] = [drawSecret(), drawSecret()]
  const headers = signedHeaders({ id: 'evt_1', at: new Date(), body }, [newer, older])
  expect(new Webhook(newer).verify(body, headers)).toBeDefined()
  expect(new Webhook(older).verify(body, headers)).toBeDefined()
})

test('the signature covers the instant of the attempt', () => {
  const secret = drawSecret()
  const old = signedHeaders({ id: 'evt_1', at: new Date(Date.now() - 600_000), body }, [secret])
  expect(() => new Webhook(secret).verify(body, old)).toThrow('too old')
})

test('a secret is whsec_ and the base64 of 32 random bytes', () => {
  const [one, other] = [drawSecret(), drawSecret()]
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(one).not.toBe(other)
})
