import { hashPassword } from '../../../src/shared/identity/accounts/hash-password.ts'
import { addMember } from '../../../src/shared/identity/members/add-member.ts'
import type { MailTokens } from '../../../src/shared/platform/adapters/tokens/mail-tokens.ts'
import { roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import { acceptToPay } from '../../../src/shared/workflows/accept-bill-to.ts'
import { updateMember } from '../../../src/shared/workflows/update-member.ts'
import { daysFrom } from './days.ts'
import { type DemoSchool, openAccount } from './found-school.ts'
import { DEMO_PASSWORD } from './people.ts'
import type { SchoolTransaction } from './school-transaction.ts'

const hana = { name: 'Hana Haddad', email: 'hana@bayflight.example' }

/** Adds a parent who has agreed to pay for a student from now on: invoices, and from the ledger up to 2,000.00 a month. */
export async function addParent(
  school: SchoolTransaction,
  { actors: { adam, samir } }: DemoSchool,
  mailTokens: MailTokens,
  now: Date,
): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const { organizationId } = adam
  const roles = roleFlags({ renter: true })
  const accountId = await school.at(daysFrom(now, -1), (tx) => openAccount(tx, mailTokens, { ...hana, passwordHash }))
  const joined = await school.at(daysFrom(now, -1), (tx) => addMember(tx, organizationId, accountId, roles))
  const orgUserId = joined!.id
  await school.at(daysFrom(now, -1), (tx) => updateMember(tx, adam, samir.orgUserId, { billToOrgUserId: orgUserId }))
  const parent = { ...adam, ...hana, accountId, orgUserId, roles }
  const consent = { ledger: true, autopay: false, maxCentsPerMonth: cents(200_000), documentId: null }
  await school.at(daysFrom(now, -1), (tx) => acceptToPay(tx, parent, samir.orgUserId, consent))
}
