import { fieldErrors } from '../../platform/field.errors.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import {
  CURRENT_EDITION,
  CURRENT_SINCE,
  type Edition,
  editions,
  findEndorsementTemplate,
} from '../../training/endorsements/endorsement-templates.ts'
import { issueEndorsement } from '../../training/endorsements/issue-endorsement.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { optional, type Parser, type RowOf, required } from '../reading/columns.rules.ts'
import { lastMoment, line, moment, orNever, paragraph } from '../reading/parsers.rules.ts'
import { loadMembers, memberColumn } from './find-named.ts'
import { CellRefused, importKind } from './import.types.ts'
import { findKnownEndorsements } from './known-work.queries.ts'
import { isNamed, nameKey } from './match.rules.ts'

/** Parses an edition of the advisory circular; case is ignored. */
const edition: Parser<Edition> = (cell) => {
  const found = editions.find((one) => isNamed(one, cell))
  return found ? { value: found } : { problem: fieldErrors.oneOf({ choices: editions.join(', ') }) }
}

const columns = {
  member: memberColumn('endorsed member', 'student'),
  code: optional(line(20), {
    example: 'A.6',
    doc: 'Number in AC 61-65; blank: an endorsement with a title of its own',
    aliases: ['endorsement', 'template', 'number'],
  }),
  edition: optional(edition, {
    example: 'AC 61-65K',
    doc: 'Edition of the number: AC 61-65K, or AC 61-65H before 14 November 2025; blank: the one of the day it was signed',
  }),
  title: optional(line(200), { example: '', doc: 'Its title; blank: that of the number' }),
  text: optional(paragraph(5000), {
    example: '',
    doc: 'Its text, kept as it is; blank: its title',
    aliases: ['wording'],
  }),
  signedAt: required(moment, {
    example: '2026-02-10',
    doc: 'When it was signed',
    aliases: ['signed', 'signed on', 'date'],
    isDate: true,
  }),
  expiresAt: optional(orNever(lastMoment), {
    example: '',
    doc: 'The last day, or never; blank: as the number says',
    aliases: ['expires', 'expiration date', 'valid until'],
    isDate: true,
  }),
  signerName: required(line(200), {
    example: 'Isabel Soto',
    doc: 'Who signed it',
    aliases: ['signed by', 'instructor', 'signer'],
  }),
  signerCertificateNumber: optional(line(40), {
    example: '3141592CFI',
    doc: 'Number of the signer’s certificate',
    aliases: ['certificate number', 'cfi number'],
  }),
}

type Row = RowOf<typeof columns>

/**
 * Imports endorsements, with the text, signer and date of the row. A row is matched with a stored endorsement by
 * member, number (without one, title) and the instant of the signature. A stored endorsement is not changed.
 */
export const importEndorsements = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ member, code, title = '', signedAt }) => [
    `${nameKey(member)} ${nameKey(code ?? title)} ${signedAt.toISOString()}`,
  ],
  externalIdOf: () => null,
  async open(tx, actor, rows) {
    const members = await loadMembers(
      tx,
      actor.organizationId,
      rows.map(({ member }) => member),
    )
    return async (row) => {
      const memberId = members.idOf('member', row.member)
      const what = whatOf(row, actor.organization.timeZoneName)
      const known = await findKnownEndorsements(tx.db, actor.organizationId, memberId)
      const stored = known.find(
        (one) =>
          one.signedAt.getTime() === row.signedAt.getTime() &&
          (what.templateCode === null ? isNamed(one.title, what.title) : one.templateCode === what.templateCode),
      )
      if (stored) return { outcome: 'unchanged', id: stored.id }
      const { id } = await issueEndorsement(tx, actor, {
        ...what,
        orgUserId: memberId,
        renderedText: row.text ?? what.title,
        expiresAt: row.expiresAt,
        signedAt: row.signedAt,
        signedBy: { orgUserId: null, name: row.signerName, certificateNumber: row.signerCertificateNumber ?? null },
        trainingAt: null,
        parameters: {},
        documentId: null,
        enrollmentId: null,
        supersedesId: null,
        signerCertificateNumber: null,
        signerCertificateExpiry: null,
        imported: true,
      })
      return { outcome: 'created', id }
    }
  },
})

/**
 * Returns the template, edition and title of a row. Without a given edition, it is the one in force on the day of the
 * signature. Without a number, the template is null and the row must have a title.
 */
function whatOf({ code, edition: given, title, signedAt, expiresAt }: Row, zone: string) {
  const inForce = localDate(signedAt, zone) < CURRENT_SINCE ? 'AC 61-65H' : CURRENT_EDITION
  const usedEdition = given ?? inForce
  if (code === undefined) {
    if (title === undefined) throw new CellRefused('title', portabilityErrors.titleOrCode())
    return { templateCode: null, edition: usedEdition, title }
  }
  const template = findEndorsementTemplate(code, usedEdition)
  if (!template) throw new CellRefused('code', portabilityErrors.unknownEndorsement({ edition: usedEdition }))
  const isSingleFlight = template.validity !== null && 'singleFlight' in template.validity
  if (isSingleFlight && expiresAt === undefined) throw new CellRefused('expiresAt', portabilityErrors.singleFlight())
  return { templateCode: template.code, edition: usedEdition, title: title ?? template.title }
}
