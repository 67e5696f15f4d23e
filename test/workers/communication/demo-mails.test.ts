import { describe, expect } from 'vitest'
import { buildSchool } from '../../support/builders.ts'
import { workersTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'

const test = workersTest({ env: { DEMO_MAIL: 'on' } })

describe('an invitation to a demo organization', () => {
  test('is mailed to the mail catcher of the demo', async ({ api, workers }) => {
    const demo = await buildSchool(api, { demo: true })
    await expectOk(api, demo.admin, 'POST', '/organizations/invite', { email: 'guest.of.demo@example.com' })
    await workers.settled()
    const [mail] = workers.mails('guest.of.demo@example.com')
    expect(mail?.subject).toMatch(/^You are invited to /)
    expect(mail?.text).toContain('/invitation#token=')
  })
})
