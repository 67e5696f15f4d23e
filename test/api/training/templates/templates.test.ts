import { describe, expect } from 'vitest'
import { syllabusTemplates } from '../../../../src/shared/training/templates/syllabus-templates.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'

const test = sharedSchoolTest()

interface Version {
  requirements: { code: string; minDeciHours: number | null; source: string }[]
  stages: { requiresStageCheck: boolean; lessons: { tasks: { acsCode: string | null }[]; credits: object[] }[] }[]
}

describe('the syllabus templates (§Training: GET /training/templates)', () => {
  test('the syllabus templates are listed by key', async ({ api, school }) => {
    const list = await expectOk<{ templateKey: string; lessons: number }[]>(
      api,
      school.admin,
      'GET',
      '/training/templates',
    )
    expect(list.map(({ templateKey }) => templateKey)).toEqual(syllabusTemplates.map(({ key }) => key))
    expect(list[0]).toMatchObject({ name: 'Private pilot, airplane', certificateSought: 'private', stages: 4 })
  })

  test('are of both parts, each with its edition, or of the part that is asked for', async ({ api, school }) => {
    const of = (query: string) =>
      expectOk<{ templateKey: string; regulatoryPart: string; edition: string }[]>(
        ...([api, school.admin, 'GET', `/training/templates${query}`] as const),
      )
    const all = await of('')
    const parts = { part61: await of('?regulatoryPart=part61'), part141: await of('?regulatoryPart=part141') }
    expect(parts.part141.map(({ templateKey }) => templateKey)).toEqual([
      'private_141',
      'instrument_141',
      'commercial_141',
    ])
    expect([...parts.part61, ...parts.part141]).toEqual(all)
    expect(parts.part141.map(({ edition }) => edition)).toEqual([
      '14 CFR Part 141 Appendix B, FAA-S-ACS-6C',
      '14 CFR Part 141 Appendix C, FAA-S-ACS-8C',
      '14 CFR Part 141 Appendix D, FAA-S-ACS-7B',
    ])
    expect(new Set(all.map(({ regulatoryPart }) => regulatoryPart))).toEqual(new Set(['part61', 'part141']))
    expect(all.every(({ edition }) => edition.startsWith('14 CFR Part '))).toBe(true)
    expect((await api.as(school.admin).get('/training/templates?regulatoryPart=135')).statusCode).toBe(400)
  })

  test.for(syllabusTemplates.map(({ key }) => key))(
    'the template %s becomes a draft under its part that can be published',
    async (key, { api, school }) => {
      const template = syllabusTemplates.find((one) => one.key === key)!
      const response = await api.as(school.admin).post(`/training/templates/${key}`)
      expect(response.statusCode, response.body).toBe(200)
      const course = response.json().data
      expect(course).toMatchObject({
        name: template.name,
        regulatoryPart: template.appendix ? 'part141' : 'part61',
        certificateSought: template.certificateSought,
        ratingId: template.ratingId,
        versions: [{ label: 'Rev A', state: 'draft' }],
      })
      const url = `/training/versions/${course.versions[0].id}`
      const version = await expectOk<Version>(api, school.admin, 'GET', url)
      expect(version.requirements.map(({ code }) => code)).toEqual(template.requirements.map(({ code }) => code))
      const sources = template.requirements.map(({ source = template.appendix ? 'part141' : 'part61' }) => source)
      expect(version.requirements.map(({ source }) => source)).toEqual(sources)
      const lessons = version.stages.flatMap((stage) => stage.lessons)
      const planned = template.stages.flatMap((stage) => stage.lessons)
      expect(lessons.map(({ tasks, credits }) => [tasks.length, credits.length])).toEqual(
        planned.map(({ tasks, credits = {} }) => [tasks.length, Object.keys(credits).length]),
      )
      await expectOk(api, school.admin, 'POST', `${url}/publish`)
    },
  )

  test('a course from a template may have another name and rating', async ({ api, school }) => {
    const body = { name: 'PPL evening course', ratingId: 5 }
    const made = await expectOk(api, school.admin, 'POST', '/training/templates/private', body)
    expect(made).toMatchObject({ name: 'PPL evening course', ratingId: 5 })
  })

  test('an unknown template is 404 and an unknown rating is 400', async ({ api, school }) => {
    const build = (key: string, body: object) => api.as(school.admin).post(`/training/templates/${key}`, body)
    expect((await build('astronaut', {})).statusCode).toBe(404)
    expect((await build('1', {})).statusCode).toBe(404)
    const refused = await build('private', { ratingId: 999 })
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'ratingId: there is no such rating'])
  })
})
