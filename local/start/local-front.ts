import type { LocalFront } from '../../src/api/reference/front.routes.ts'
import type { Core } from '../../src/shared/composition/core.ts'
import { systemClock } from '../../src/shared/platform/kernel/clock.ts'
import { signIns } from '../demo/school/people.ts'

/**
 * Returns the additions of `npm start` to the front page: the URL of the inbox, and the accounts of the demo school
 * when it exists. Returns null in production.
 */
export async function openLocalFront(
  { config, database: { db }, tokens }: Pick<Core, 'config' | 'database' | 'tokens'>,
  environment: Record<string, string | undefined>,
): Promise<LocalFront | null> {
  if (environment.NODE_ENV === 'production') return null
  const find = (email: string) =>
    db
      .selectFrom('membership')
      .innerJoin('account', 'account.id', 'membership.account_id')
      .innerJoin('organization', 'organization.id', 'membership.organization_id')
      .select([
        'account.id as accountId',
        'membership.organization_id as organizationId',
        'membership.id as membershipId',
      ])
      .where('organization.demo', '=', true)
      .where('membership.removed_at', 'is', null)
      .where('account.email', '=', email)
      .executeTakeFirst()
  const isThere = config.DEMO_SCHOOL !== 'off' && (await find(signIns[0]?.email ?? '')) !== undefined
  return {
    inboxUrl: environment.INBOX_URL ?? null,
    people: isThere ? signIns : [],
    async signIn({ email }) {
      const member = await find(email)
      return member ? (await tokens.issue(member, systemClock())).token : null
    },
  }
}
