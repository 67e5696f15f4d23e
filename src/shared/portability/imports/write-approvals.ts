import { giveApproval } from '../../qualification/approvals/approve-member.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { optional, type RowOf } from '../reading/columns.rules.ts'
import { lastMoment, line } from '../reading/parsers.rules.ts'
import { loadMembers, loadResources, memberColumn, resourceName, resourceWords } from './find-named.ts'
import { CellRefused, importKind } from './import.types.ts'
import { findKnownApprovals } from './known.queries.ts'
import { changesOf, isNamed, isNothing, nameKey, tailKey } from './match.rules.ts'

const columns = {
  member: memberColumn('member', 'pilot'),
  resource: optional(resourceName, {
    ...resourceWords,
    doc: `${resourceWords.doc}; blank: the make and model`,
  }),
  make: optional(line(60), { example: '', doc: 'Maker of the aircraft, such as Cessna', aliases: ['manufacturer'] }),
  model: optional(line(60), { example: '', doc: 'Model of the aircraft, such as 172S' }),
  expiresAt: optional(lastMoment, {
    example: '2027-03-31',
    doc: 'The last day; blank: it does not end',
    aliases: ['expires', 'expiration date', 'valid until'],
    isDate: true,
  }),
}

type Row = RowOf<typeof columns>

/**
 * Imports approvals for an aircraft, or for a make and model. A row is matched with a stored approval by its member and
 * its aircraft or model.
 */
export const importApprovals = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ member, resource, make = '', model = '' }) => [
    `${nameKey(member)} on ${resource === undefined ? `model ${nameKey(make)} ${nameKey(model)}` : tailKey(resource)}`,
  ],
  externalIdOf: () => null,
  async open(tx, actor, rows) {
    const { organizationId } = actor
    const members = await loadMembers(
      tx,
      organizationId,
      rows.map(({ member }) => member),
    )
    const resourceOf = await loadResources(
      tx,
      organizationId,
      rows.map(({ resource }) => resource),
    )
    const known = await findKnownApprovals(tx.db, organizationId, members.ids)
    return async (row) => {
      assertNamesOne(row)
      const memberId = members.idOf('member', row.member)
      const resourceId = row.resource === undefined ? null : resourceOf('resource', row.resource).id
      const stored = known.find(
        (one) =>
          one.memberId === memberId &&
          (resourceId === null
            ? isNamed(one.make, row.make) && isNamed(one.model, row.model)
            : one.resourceId === resourceId),
      )
      if (stored && isNothing(changesOf(stored, { expiresAt: row.expiresAt }))) {
        return { outcome: 'unchanged', id: stored.id }
      }
      const { make = null, model = null, expiresAt = null } = row
      const { id, made } = await giveApproval(tx, actor, { orgUserId: memberId, resourceId, make, model, expiresAt })
      return { outcome: made ? 'created' : 'updated', id }
    }
  },
})

function assertNamesOne({ resource, make, model }: Row): void {
  const isOne = resource === undefined ? make !== undefined && model !== undefined : !(make || model)
  if (!isOne) throw new CellRefused('resource', portabilityErrors.resourceOrModel())
}
