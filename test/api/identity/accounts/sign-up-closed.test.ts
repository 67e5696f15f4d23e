import { describe, expect } from 'vitest'
import { buildSchool } from '../../../support/builders.ts'
import { apiTest } from '../../../support/fixtures.ts'
import { mailedToken } from '../../../support/mailed-tokens.ts'

const body = { name: 'Nea Lund', email: 'nea.lund@example.com', password: 'clear-prop-runway-28' }

const whereInvited = apiTest({ env: { SIGN_UP: 'invited' } })
const whereClosed = apiTest({ env: { SIGN_UP: 'closed' } })

describe('an installation that takes only invited people', () => {
  whereInvited('refuses others, and takes who holds an open invitation', async ({ api }) => {
    const refused = await api.call('POST', '/users', { body })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'SIGN_UP_CLOSED'])
    const { owner } = await buildSchool(api)
    await api.as(owner).post('/organizations/invite', { email: body.email, student: true })
    const wrong = await api.call('POST', '/users', { body: { ...body, invitationToken: 'x'.repeat(43) } })
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, undefined])
    const invitationToken = await mailedToken(api, body.email, 'invitation')
    expect((await api.call('POST', '/users', { body: { ...body, invitationToken } })).statusCode).toBe(201)
  })
})

describe('an installation that takes nobody', () => {
  whereClosed('refuses the invited too, and writes no account', async ({ api }) => {
    const { owner } = await buildSchool(api)
    await api.as(owner).post('/organizations/invite', { email: body.email, student: true })
    const invitationToken = await mailedToken(api, body.email, 'invitation')
    for (const sent of [body, { ...body, invitationToken }]) {
      expect((await api.call('POST', '/users', { body: sent })).json().code).toBe('SIGN_UP_CLOSED')
    }
    const { rows } = await api.core.database.pool.query('select 1 from account where email = $1', [body.email])
    expect(rows).toEqual([])
  })
})
