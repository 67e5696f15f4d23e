import { z } from 'zod'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { findCourse } from '../../../shared/training/courses/course.queries.ts'
import { appendices } from '../../../shared/training/courses/device-ceilings.rules.ts'
import { certificates, regulatoryParts } from '../../../shared/training/courses/syllabus.rules.ts'
import { assertHolds } from '../../../shared/training/grants/grant.access.ts'
import { buildCourse } from '../../../shared/training/templates/build-course.ts'
import type { SyllabusTemplate as Template } from '../../../shared/training/templates/syllabus-template.ts'
import { syllabusTemplates } from '../../../shared/training/templates/syllabus-templates.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope, Id, queryWords } from '../../http/schemas.ts'
import { Course, courseView } from '../courses/course.view.ts'
import { FromTemplateBody } from '../courses/courses.schemas.ts'
import { DeciHours, opensFor } from '../training.schemas.ts'

const tag = 'Training'

const SyllabusTemplate = z
  .object({
    templateKey: z.string(),
    name: z.string(),
    description: z.string(),
    certificateSought: z.enum(certificates),
    regulatoryPart: z.enum(regulatoryParts),
    appendix: z
      .enum(appendices)
      .nullable()
      .describe('The appendix of 14 CFR Part 141 that the template follows; null: a Part 61 course'),
    edition: z.string().describe('The part or appendix of 14 CFR with the figures, and the standard with the tasks'),
    ratingId: Id,
    stages: z.int(),
    lessons: z.int(),
    requirements: z.array(
      z.object({
        code: z.string(),
        label: z.string(),
        minDeciHours: DeciHours.nullable(),
        minCount: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'SyllabusTemplate' })

const partOf = ({ appendix }: Template) => (appendix ? 'part141' : 'part61')

function editionOf({ appendix, standard }: Template): string {
  const regulation = appendix ? `14 CFR Part 141 Appendix ${appendix.toUpperCase()}` : '14 CFR Part 61'
  return standard === null ? regulation : `${regulation}, ${standard}`
}

const TemplateQuery = ListQuery.extend({
  regulatoryPart: queryWords(regulatoryParts).optional().describe('Only templates of these parts; default: both'),
})

function templateView(template: Template): z.input<typeof SyllabusTemplate> {
  return {
    templateKey: template.key,
    name: template.name,
    description: template.description,
    certificateSought: template.certificateSought,
    regulatoryPart: partOf(template),
    appendix: template.appendix ?? null,
    edition: editionOf(template),
    ratingId: template.ratingId,
    stages: template.stages.length,
    lessons: template.stages.reduce((sum, stage) => sum + stage.lessons.length, 0),
    requirements: template.requirements.map(({ code, label, deciHours = null, count = null }) => ({
      code,
      label,
      minDeciHours: deciHours,
      minCount: count,
    })),
  }
}

export const templateRoutes: Routes = (on) => {
  on.get('/training/templates', {
    id: 'listCourseTemplates',
    access: 'member',
    tag,
    summary: 'List the templates of courses',
    description:
      'Lists the syllabi from which a school can create a course: 14 CFR 61.56, 61.65, 61.109, 61.129 and ' +
      `61.183, and Part 141 Appendices B, C and D. ${opensFor.configureOrAudit}`,
    query: TemplateQuery,
    answers: { 200: envelope(z.array(SyllabusTemplate)) },
    errors: [trainingErrors.grantNeeded],
    read: async ({ db, actor, query }) => {
      await assertHolds(db, actor, ['configureTraining', 'auditor'])
      const { regulatoryPart = regulatoryParts } = query
      const listed = syllabusTemplates.filter((one) => regulatoryPart.includes(partOf(one)))
      return page(await listPage(listOf(listed), query, templateView))
    },
  })

  on.post('/training/templates/:templateKey', {
    id: 'createCourseFromTemplate',
    access: 'member',
    tag,
    summary: 'Create a course from a template',
    description:
      'Creates a course under Part 61 or under an appendix of Part 141. Its draft syllabus has requirements with ' +
      'the figures of the regulation, stages, lessons, and tasks with their ACS codes. The draft can be edited ' +
      `before it is published. ${opensFor.configureTraining} The figures are those of 14 CFR 61.109(a), 61.65(d), ` +
      '61.129(a) and 61.183, and of Part 141 Appendices B, C and D.',
    params: z.object({ templateKey: z.string() }),
    body: FromTemplateBody,
    answers: { 200: envelope(Course) },
    errors: [qualificationErrors.unknownRating, trainingErrors.grantNeeded, trainingErrors.noSuchTemplate],
    write: (tx, { actor, params, body }) => buildCourse(tx, actor, params.templateKey, body),
    answer: async ({ id }, { db, actor }) => ok(courseView(await findCourse(db, actor.organizationId, id))),
  })
}
