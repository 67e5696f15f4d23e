import { describe, expect } from 'vitest'
import { schoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { importAs } from '../../../support/imports.ts'

const test = schoolTest()

const password = 'correct horse battery staple'

describe('an address with signs and letters beyond ASCII (RFC 5321, RFC 6531)', () => {
  test.for(['r&d@signs.example', 'пётр@Почта.рф', 'jose\u0301@M\u00fcnchen.example'])(
    'signs up once and signs in, however it is written: %s',
    async (email, { api }) => {
      const signUp = () => api.call('POST', '/users', { body: { name: 'Ana Ruiz', email, password } })
      const first = await signUp()
      expect(first.statusCode, first.body).toBe(201)
      const stored = first.json().data.user.email as string
      expect(stored.split('@')[1]).toMatch(/^[a-z0-9.-]+$/)
      for (const written of [email, email.toUpperCase().normalize('NFC'), email.normalize('NFD'), stored]) {
        const response = await api.call('POST', '/auth', { body: { email: written, password } })
        expect(response.statusCode, written).toBe(200)
      }
      expect((await signUp()).statusCode).toBeGreaterThanOrEqual(400)
    },
  )

  test('is invited, seated as a guest, and found by an import', async ({ api, school }) => {
    const invited = await api
      .as(school.admin)
      .post('/organizations/invite', { email: 'r&d@M\u00fcnchen.example', name: 'R and D', student: true })
    expect(invited.statusCode, invited.body).toBeLessThan(300)
    const text = 'name,email\nPetra,petra@M\u00fcnchen.example\n'
    const first = await importAs(api, school.admin, { kind: 'members', text })
    const again = await importAs(api, school.admin, {
      kind: 'members',
      text: text.replace('M\u00fcnchen', 'xn--mnchen-3ya'),
    })
    expect([first.outcomes, again.outcomes]).toEqual([['created'], ['unchanged']])
    const balance = await importAs(api, school.admin, {
      kind: 'balances',
      text: 'member,amountCents\nPetra@m\u00fcnchen.example,1500\n',
    })
    expect(balance.outcomes).toEqual(['created'])
    const petra = await expectOk<{ user: { email: string } }>(
      api,
      school.admin,
      'GET',
      `/orgUsers/${first.rows[0]!.id}`,
    )
    expect(petra.user.email).toBe('petra@xn--mnchen-3ya.example')
  })
})
