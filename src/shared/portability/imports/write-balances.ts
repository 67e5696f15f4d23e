import { postAndPay } from '../../billing/payments/post-and-pay.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { optional, required } from '../reading/columns.rules.ts'
import { centsCell, line } from '../reading/parsers.rules.ts'
import { loadMembers, memberColumn } from './find-named.ts'
import { CellRefused, importKind } from './import.types.ts'
import { findOpeningBalances } from './known.queries.ts'
import { nameKey } from './match.rules.ts'

/** The beginning of the memo of an opening balance, by which a repeated import finds it. */
const OPENING = 'opening balance'

const columns = {
  member: memberColumn('member', 'account'),
  amountCents: required(centsCell, {
    example: '15000',
    doc: 'Cents that the member has; negative: owes',
    aliases: ['amount', 'balance', 'balance cents'],
  }),
  memo: optional(line(150), { example: '', doc: 'Said after “opening balance” on the statement', aliases: ['note'] }),
}

/** Imports the opening balances of accounts: one adjustment per member. */
export const importBalances = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ member }) => [nameKey(member)],
  externalIdOf: () => null,
  async open(tx, actor, rows) {
    const { organizationId } = actor
    const members = await loadMembers(
      tx,
      organizationId,
      rows.map(({ member }) => member),
    )
    return async ({ member, amountCents, memo }) => {
      const memberId = members.idOf('member', member)
      const [stored] = await findOpeningBalances(tx.db, organizationId, [memberId], OPENING)
      if (stored && stored.amountCents !== amountCents) {
        throw new CellRefused('amountCents', portabilityErrors.otherOpeningBalance())
      }
      if (stored || amountCents === 0) return { outcome: 'unchanged', id: stored?.id ?? null }
      const posting = { amountCents, memo: memo === undefined ? OPENING : `${OPENING}: ${memo}` }
      const { entryId } = await postAndPay(tx, actor, memberId, { kind: 'adjustment', ...posting })
      return { outcome: 'created', id: entryId }
    }
  },
})
