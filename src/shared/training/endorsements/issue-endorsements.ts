import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { assertGrades } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import type { EndorsementParameters, EndorsementTemplate } from './catalog/endorsement-template.ts'
import { nameToFillIn } from './endorsement.access.ts'
import { fillIn, placeholdersIn } from './endorsement.rules.ts'
import { CURRENT_EDITION, findEndorsementTemplate } from './endorsement-templates.ts'
import { issueEndorsement } from './issue-endorsement.ts'

export interface EndorsementPackage {
  orgUserId: number
  enrollmentId: number | null
  trainingAt: Date | null
  /** The parameters for every template that has them. */
  parameters: EndorsementParameters
  signerCertificateNumber: string | null
  items: readonly PackageItem[]
}

interface PackageItem {
  templateCode: string
  /** Parameters of this item; they replace those of the package. */
  parameters: EndorsementParameters
  /** Null: the template's text, filled in. */
  renderedText: string | null
  supersedesId: number | null
}

/**
 * Signs several endorsements of one member, all or none. Without a text, the text of the template is filled in with the
 * student's name and the parameters. The default of the parameter `trainedOn` is the local day of the training.
 * Implements interface §Training: POST /training/endorsements/batch.
 */
export async function issueEndorsements(
  tx: Tx,
  actor: Actor,
  input: EndorsementPackage,
): Promise<{ ids: number[]; unnumbered: boolean }> {
  assertGrades(actor)
  const { items, parameters, ...inCommon } = input
  const student = await nameToFillIn(tx.db, actor, input.orgUserId)
  const trainedOn = localDate(input.trainingAt ?? tx.now, actor.organization.timeZoneName)
  const ids: number[] = []
  let unnumbered = false
  for (const [index, item] of items.entries()) {
    const template = findEndorsementTemplate(item.templateCode)
    if (!template) throw trainingErrors.unknownTemplateOfItem({ index })
    const known = { ...thoseOf(template, { trainedOn, ...parameters }), ...item.parameters }
    const issued = await issueEndorsement(tx, actor, {
      ...inCommon,
      templateCode: template.code,
      edition: CURRENT_EDITION,
      title: null,
      parameters: known,
      renderedText: item.renderedText ?? assertFillsIn(template, { ...known, student }, index),
      supersedesId: item.supersedesId,
      signedBy: null,
      documentId: null,
      signedAt: null,
      signerCertificateExpiry: null,
    })
    ids.push(issued.id)
    unnumbered ||= issued.unnumbered
  }
  return { ids, unnumbered }
}

function thoseOf(template: EndorsementTemplate, parameters: EndorsementParameters): EndorsementParameters {
  const known: readonly string[] = template.parameters
  const entries = Object.entries(parameters).filter(([name]) => known.includes(name))
  return Object.fromEntries(entries)
}

function assertFillsIn({ text }: EndorsementTemplate, known: Readonly<Record<string, string>>, index: number): string {
  const filled = fillIn(text, known)
  const [open] = placeholdersIn(filled)
  if (open !== undefined) throw trainingErrors.placeholderOpen({ index, parameter: open })
  return filled
}
