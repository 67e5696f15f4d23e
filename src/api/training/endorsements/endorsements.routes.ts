import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { answerForEndorsement } from '../../../shared/training/endorsements/confirm-endorsement.ts'
import { nameToFillIn } from '../../../shared/training/endorsements/endorsement.access.ts'
import {
  findEndorsement,
  findEndorsements,
  listEndorsements,
} from '../../../shared/training/endorsements/endorsement.queries.ts'
import { templatesOf } from '../../../shared/training/endorsements/endorsement-templates.ts'
import { issueEndorsement } from '../../../shared/training/endorsements/issue-endorsement.ts'
import { issueEndorsements } from '../../../shared/training/endorsements/issue-endorsements.ts'
import { readsAllEndorsements } from '../../../shared/training/grants/grant.access.ts'
import { graders } from '../../../shared/training/grants/grants.rules.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listOf, listPage } from '../../http/lists.ts'
import { envelope, IdParams, membersOf } from '../../http/schemas.ts'
import { instantOf, windowOf } from '../../http/windows.ts'
import { Endorsement, EndorsementTemplate, endorsementTemplateView, endorsementView } from './endorsement.view.ts'
import {
  EndorsementBatchBody,
  EndorsementBody,
  EndorsementQuery,
  EndorsementTemplateQuery,
} from './endorsements.schemas.ts'

const tag = 'Training'

const beside = {
  warning: z
    .string()
    .optional()
    .describe(
      'Present when an endorsement is unsigned, or is signed without a certificate number and so is `unproven`',
    ),
}

/** Returns the warning beside issued endorsements. */
function warningOf({ unsigned = false, unnumbered }: { unsigned?: boolean; unnumbered: boolean }) {
  if (unsigned) return { warning: trainingErrors.endorsementUnsigned() }
  return unnumbered ? { warning: trainingErrors.endorsementUnnumbered() } : {}
}

/** The errors of issuing an endorsement, alone or in a batch. */
const issueErrors = [
  trainingErrors.endorsesThemselves,
  trainingErrors.signerNameDiffers,
  qualificationErrors.unknownDocument,
  identityErrors.unknownMember,
  identityErrors.lacksRole,
  trainingErrors.unknownSuperseded,
  trainingErrors.notTheirEnrollment,
  trainingErrors.unknownTemplate,
  trainingErrors.ownSignatureDated,
  trainingErrors.editionNotCurrent,
  trainingErrors.trainedAfterSigning,
  trainingErrors.trainingTooOld,
  trainingErrors.unknownParameter,
  trainingErrors.practicalTestNeeded,
  trainingErrors.flightDayUnreadable,
  trainingErrors.flightDayMissing,
  trainingErrors.titleMissing,
  trainingErrors.inFuture,
  trainingErrors.signerNotAllowed,
  platformErrors.endorsementReplaced,
] as const

export const endorsementRoutes: Routes = (on) => {
  on.get('/training/endorsements', {
    id: 'listEndorsements',
    access: 'member',
    tag,
    summary: 'List the endorsements',
    description:
      'Lists the endorsements that were signed in the window, newest first; superseded ones only with `includeSuperseded`. Instructors, admins and ' +
      'holders of the grant `auditor` see all; other members see only their own. 14 CFR 61.189 asks instructors to ' +
      'keep these records.',
    query: EndorsementQuery,
    answers: { 200: envelope(z.array(Endorsement)) },
    read: async ({ db, actor, query }) => {
      const all = await readsAllEndorsements(db, actor)
      const orgUserIds = membersOf(all ? query.orgUserId : ['me'], actor)
      const { includeSuperseded, code: codes } = query
      const filter = { includeSuperseded, orgUserIds, signedBy: membersOf(query.signedBy, actor), codes }
      const expiringBefore = instantOf(query.expiringBefore, actor)
      const window = { ...windowOf(query, actor), expiringBefore }
      const endorsements = listEndorsements(db, actor.organizationId, { ...filter, ...window })
      return page(await listPage(endorsements, query, endorsementView))
    },
  })

  on.get('/training/endorsements/:id', {
    id: 'readEndorsement',
    access: 'member',
    tag,
    summary: 'Read an endorsement',
    description:
      'Returns an endorsement (14 CFR 61.189), superseded or not. Allowed for the endorsed member, instructors, admins, and holders ' +
      'of the grant `auditor`.',
    params: IdParams,
    answers: { 200: envelope(Endorsement) },
    errors: [trainingErrors.notYourTraining, trainingErrors.noSuchEndorsement],
    read: async ({ db, actor, params }) => {
      const row = await findEndorsement(db, actor.organizationId, params.id)
      const own = row.person.orgUserId === actor.orgUserId
      if (!own && !(await readsAllEndorsements(db, actor))) throw trainingErrors.notYourTraining()
      return ok(endorsementView(row))
    },
  })

  on.post('/training/endorsements', {
    id: 'issueEndorsement',
    access: graders,
    tag,
    summary: 'Endorse a member',
    description:
      'Issues an endorsement in the caller’s name. An admin who is not an instructor names an instructor in ' +
      '`signedBy`; without one, the endorsement is `unsigned`, with a `warning`. Stored as `unproven`, and ' +
      'counting for nothing, are: an endorsement of oneself (14 CFR 61.195(i)); one without a certificate number ' +
      'in the body or the signer’s profile; one whose number differs from that of the signer’s verified ' +
      'certificate; and one signed after that certificate ended. A.18, A.19, A.53 and A.54 are refused for an ' +
      'airplane or a helicopter, which need a practical test (14 CFR 61.321(b), 61.419(e)).',
    body: EndorsementBody,
    answers: { 200: envelope(Endorsement, beside) },
    errors: issueErrors,
    write: (tx, { actor, body }) => issueEndorsement(tx, actor, body),
    answer: async ({ id, ...issued }, { db, actor }) =>
      ok(endorsementView(await findEndorsement(db, actor.organizationId, id)), warningOf(issued)),
  })

  on.post('/training/endorsements/batch', {
    id: 'endorseMemberInBatch',
    access: graders,
    tag,
    summary: 'Sign several endorsements of a member',
    description:
      'Issues all the given endorsements or none, in the caller’s name and under the current edition of AC 61-65 (AC ' +
      '61-65K; 14 CFR 61.189). An endorsement without a text gets the text of its template, with the student’s name ' +
      'and `parameters` filled in. The common parameters apply to the templates that have them.',
    body: EndorsementBatchBody,
    answers: { 201: envelope(z.array(Endorsement), beside) },
    errors: [...issueErrors, trainingErrors.unknownTemplateOfItem, trainingErrors.placeholderOpen],
    write: (tx, { actor, body }) => issueEndorsements(tx, actor, body),
    answer: async ({ ids, unnumbered }, { db, actor }) =>
      created((await findEndorsements(db, actor.organizationId, ids)).map(endorsementView), warningOf({ unnumbered })),
  })

  for (const [verb, id, answer, summary, does] of [
    [
      'confirm',
      'confirmEndorsement',
      'confirmed',
      'Confirm an endorsement that was recorded in your name',
      'States that the caller signed the endorsement.',
    ],
    [
      'disown',
      'disownEndorsement',
      'disowned',
      'Disown an endorsement that was recorded in your name',
      'States that the caller did not sign the endorsement.',
    ],
  ] as const) {
    on.post(`/training/endorsements/:id/${verb}`, {
      id,
      access: graders,
      tag,
      summary,
      description:
        `${does} Allowed once, for the instructor whom \`signedBy\` names. An endorsement that is disowned or not ` +
        'confirmed fulfils no booking rule and renews nothing. By 14 CFR 61.189, instructors sign for the people ' +
        'whom they trained.',
      params: IdParams,
      answers: { 200: envelope(Endorsement) },
      errors: [trainingErrors.notInYourName, trainingErrors.noSuchEndorsement, trainingErrors.answeredAlready],
      write: (tx, { actor, params }) => answerForEndorsement(tx, actor, params.id, answer),
      answer: async (_made, { db, actor, params }) =>
        ok(endorsementView(await findEndorsement(db, actor.organizationId, params.id))),
    })
  }

  on.get('/training/endorsements/templates', {
    id: 'listEndorsementTemplates',
    access: 'member',
    tag,
    summary: 'List the templates of endorsements',
    description:
      'Lists the templates of the current edition of the advisory circular AC 61-65 (AC 61-65K). `edition` selects ' +
      'the previous edition (AC 61-65H), in which the same codes mean other endorsements. The texts are the ' +
      'service’s own words under the numbers of the circular. With `orgUserId` the student’s name is filled in; ' +
      'the instructor fills in the other placeholders and edits the text before signing.',
    query: EndorsementTemplateQuery,
    answers: { 200: envelope(z.array(EndorsementTemplate)) },
    errors: [identityErrors.unknownMember],
    read: async ({ db, actor, query }) => {
      const [student] = membersOf(query.orgUserId, actor) ?? []
      const known: Record<string, string> =
        student === undefined ? {} : { student: await nameToFillIn(db, actor, student) }
      const templates = listOf([...templatesOf(query.edition)])
      return page(
        await listPage(templates, query, (template) => endorsementTemplateView(template, query.edition, known)),
      )
    },
  })
}
