import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { mailedToken } from '../support/mailed-tokens.ts'
import { confirmationToken, wish } from '../support/offerings.ts'
import { SECRET_KEY, startSimulator, type TestSimulator, WEBHOOK_SECRET } from '../support/stripe-simulator.ts'
import { startTestWorkers, type TestWorkers } from '../support/workers.ts'
import { tablesHolding } from './support/database-state.ts'

/** What must stay where it was sent: none of these may be found anywhere else. */
const password = 'canary wears a purple hat'
const newPassword = 'canary lost the purple hat'
const wrongPassword = 'canary never had this hat'
const card = '4000056655665556'
const verbatim = [password, newPassword, wrongPassword, card]

const lines: string[] = []
const errors: string[] = []
let api: TestApp
let workers: TestWorkers
let simulator: TestSimulator
beforeAll(async () => {
  const logTo = { write: (line: string) => void lines.push(line) }
  simulator = await startSimulator()
  const processor = { STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET }
  api = await startTestApp({ env: { LOG_LEVEL: 'trace', STRIPE_API_BASE: simulator.url, ...processor }, logTo })
  workers = await startTestWorkers(api)
})
afterAll(async () => {
  await workers.stop()
  await api.close()
  await simulator.close()
})

/** Sends a request, and keeps the body of an error. */
async function call(...[method, url, options]: Parameters<TestApp['call']>) {
  const response = await api.call(method, url, options)
  if (response.statusCode >= 400) errors.push(response.body)
  return response
}

const ana = 'ana@example.com'
const key = (name: string) => ({ 'idempotency-key': name })

/** Goes through everything that carries a secret. Answers the tokens that were given and mailed on the way. */
async function goThroughAll(): Promise<string[]> {
  const post = (url: string, body: object, options = {}) => call('POST', url, { body, ...options })
  const name = 'Ana Ruiz'
  const signUp = { name, email: ana, password, cardNumber: card, card: { number: card } }
  const joined = (await post('/users', signUp, { headers: key('sign-up') })).json().data.token
  const again = (await post('/users', signUp, { headers: key('sign-up') })).json().data.token
  const verifying = await mailedToken(api, ana, 'verify_email')
  await post('/auth/verify-email', { token: verifying }, { headers: key('verify') })
  await post('/auth/verify-email', { token: verifying })
  await post('/auth', { email: ana, password: wrongPassword })
  await post('/auth', { email: [password], password: { wrongPassword } })
  await post('/auth', { email: password, password })
  await post('/users', { name: wrongPassword.repeat(20), email: ana, password: 'canary' })
  const signedIn = (await post('/auth', { email: ana, password }, { headers: key('sign-in') })).json().data.token
  await post('/auth/forgot-password', { email: ana }, { headers: key('forgot') })
  const resetting = await mailedToken(api, ana, 'reset_password')
  await post('/auth/reset-password', { token: resetting, password: newPassword }, { headers: key('reset') })
  await post('/auth/reset-password', { token: resetting, password: newPassword })
  const token = (await post('/auth', { email: ana, password: newPassword })).json().data.token
  const ours = await runSchool(token)
  await call('GET', '/auth/session', { headers: { authorization: `Basic ${btoa(`ops:${password}`)}` } })
  await call('GET', '/metrics', { headers: { authorization: `Basic ${btoa('ops:ops-password')}` } })
  await call('GET', `/nothing/here?password=${encodeURIComponent(password)}&token=${token}`)
  await call('GET', `/organizations/${token}`, { token: ours[0] })
  await sendOddly(token)
  return [joined, again, verifying, signedIn, resetting, token, ...ours]
}

/** Sends secrets in requests that are refused before anything reads them. */
async function sendOddly(token: string): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: ana, password })
  const cut = Buffer.concat([Buffer.from(body.slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])])
  await call('POST', '/auth', { body: cut, headers: json })
  await call('POST', '/auth', { body: body.slice(0, -1), headers: json })
  await call('POST', '/auth', { body, headers: { 'content-type': 'application/json; charset=utf-16' } })
  await call('POST', '/auth', { body, headers: { ...json, 'content-encoding': 'gzip' } })
  await call('POST', '/auth', { body: { email: ana, password: `${password}\u0007` } })
  await call('GET', `/calendar/${token}.ics?token=%ff${token}`)
  await call('GET', `/%ff${token}`)
  await call('PUT', `/ops/queues/api/queues/${token}/pause`, { headers: { authorization: `Basic ${btoa(password)}` } })
}

/** Founds a school, invites somebody and makes a calendar; card numbers are sent in fields that do not expect them. */
async function runSchool(token: string): Promise<string[]> {
  const founded = await call('POST', '/organizations', {
    token,
    headers: key('found'),
    body: {
      name: 'Bay Flight Academy',
      details: { email: 'desk@bay.example', phone: '1', address: {}, cardNumber: card },
      location: { name: 'Hayward', address: {}, password },
    },
  })
  const owner = founded.json().data.token
  await call('POST', '/organizations/invite', { token: owner, body: { email: 'bo@example.com', cardNumber: card } })
  const inviting = await mailedToken(api, 'bo@example.com', 'invitation')
  await call('POST', '/organizations/invitations/lookup', { body: { token: inviting } })
  const calendar = (await call('POST', '/calendar/token', { token: owner, headers: key('calendar') })).json().data.url
  await call('GET', new URL(calendar).pathname, {})
  const secret = new URL(calendar).pathname.replace(/^\/calendar\/|\.ics$/g, '')
  const items = [{ description: 'Headset', quantity: 1, unitPrice: 4_500, cardNumber: card }]
  const guest = { name: 'Gia', email: 'gia@example.com', cvc: card }
  await call('POST', '/invoices', { token: owner, headers: key('bill'), body: { guest, items, cardNumber: card } })
  await call('PATCH', '/invoices/1', { token: owner, body: { paid: true, paymentMethod: card } })
  return [owner, inviting, secret, await askAsGuest(owner)]
}

/** Lets the public ask for a flight, and confirms the request. Answers the mailed token. */
async function askAsGuest(owner: string): Promise<string> {
  const settled = await call('PATCH', '/organizations', { token: owner, body: { showInDirectory: true } })
  const location = { id: settled.json().data.locations[0].id }
  const plane = {
    name: 'N172SP',
    location,
    type: { plane: { engines: 1, category: 'airplane', fuelUnits: 'gallons' } },
  }
  const { id } = (await call('POST', '/resources', { token: owner, body: plane })).json().data
  const flight = { name: 'Discovery flight', durationMinutes: 60, resourceIds: [id] }
  const offering = (await call('POST', '/offerings', { token: owner, body: flight })).json().data
  const wished = { ...wish(), cardNumber: card, password }
  const headers = key('ask')
  const asked = await call('POST', `/public/offerings/${offering.id}/requests`, { body: wished, headers })
  const token = await confirmationToken(api, asked.json().data.id)
  await call('POST', '/public/requests/confirm', { body: { token }, headers: key('confirm') })
  await call('POST', '/public/requests/confirm', { body: { token } })
  return token
}

/** Makes the database refuse what no rule foresees, so that the failure is logged. */
async function failOnOurSide(): Promise<void> {
  await asOwner(api, "alter table account add constraint broken check (name <> 'Broken') not valid")
  const body = { name: 'Broken', email: 'broken@example.com', password }
  expect((await call('POST', '/users', { body, headers: key('broken') })).statusCode).toBe(500)
  await asOwner(api, 'alter table mail_token rename column token_hash to hidden')
  const reset = await call('POST', '/auth/reset-password', { body: { token: wrongPassword, password: newPassword } })
  expect(reset.statusCode).toBe(500)
  await asOwner(api, 'alter table mail_token rename column hidden to token_hash')
}

describe('passwords, tokens and card numbers', () => {
  let secrets: string[]
  beforeAll(async () => {
    const tokens = await goThroughAll()
    await workers.settled()
    await failOnOurSide()
    secrets = [...verbatim, ...tokens, ...(await configured())]
    expect(tokens.every((token) => typeof token === 'string' && token.length > 20)).toBe(true)
  })

  test('stand in no line of the log', () => {
    const log = lines.join('')
    expect(log).toContain('request failed')
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
    expect(log).not.toMatch(/\$argon2|eyJ[\w-]+\.[\w-]+\.|values \(|broken@example\.com/)
  })

  test('stand in no error', () => {
    expect(errors.length).toBeGreaterThan(8)
    expect(secrets.filter((secret) => errors.join('').includes(secret))).toEqual([])
  })

  test('stand in no table: not in a job that is owed, not in a stored answer, not in a queue', async () => {
    const { pool } = api.core.database
    expect(await tablesHolding(pool, secrets)).toEqual([])
    expect(await tablesHolding(pool, ['Bay Flight Academy'])).not.toEqual([])
  })

  test('reach those whom they are for by mail alone', () => {
    const mails = workers.mails().map(({ text }) => text)
    expect(mails.length).toBeGreaterThan(0)
    expect(verbatim.filter((secret) => mails.join('').includes(secret))).toEqual([])
  })
})

/** The secrets of the environment, and the private keys that sign tokens and seal what is signed. */
async function configured(): Promise<string[]> {
  const {
    STRIPE_SECRET_KEY = '',
    STRIPE_WEBHOOK_SECRET = '',
    OPS_PASSWORD = '',
    AUTH_KEYS = '',
    RECORD_KEYS = '',
  } = api.config
  const keys = [AUTH_KEYS, RECORD_KEYS].flatMap(
    (set) => (JSON.parse(set) as { keys: { d?: string; k?: string }[] }).keys,
  )
  return [STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, OPS_PASSWORD, ...keys.flatMap(({ d, k }) => d ?? k ?? [])]
}
