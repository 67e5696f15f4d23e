import { describe, expect } from 'vitest'
import { expectFigure } from '../../../support/figures.ts'
import { sharedSchoolTest } from '../../../support/fixtures.ts'
import { expectOk } from '../../../support/flights.ts'
import { countStatements } from '../../../support/statements.ts'
import { buildTraining, enrol, type TrainingCourse } from '../../../support/training.ts'

const test = sharedSchoolTest()
  /** Sends a request of the instructor, and returns the answered record with the first word and table of each statement. */
  .extend('counted', ({ api, school }) => async (url: string, body: unknown) => {
    const { result, statements } = await countStatements(api, () =>
      expectOk<{ id: number }>(api, school.instructor, 'POST', url, body),
    )
    const words = statements.map((text) => {
      const [first = ''] = text.trim().split(/\s+/)
      const [, table = ''] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(text) ?? /(last_seal_number)/.exec(text) ?? []
      return `${first.toLowerCase()} ${table}`.trim()
    })
    return { id: result.id, words }
  })

let course: TrainingCourse
let enrollmentId: number
test.beforeAll(async ({ api, school }) => {
  course = await buildTraining(api, school)
  enrollmentId = await enrol(api, school, course, school.student)
})

describe('a fixed number of statements', () => {
  test('grades and signs, and reads each row that it needs once', async ({ counted }) => {
    const graded = await counted('/training/records', { enrollmentId, lessonId: course.lesson, grade: 'S' })
    // Who calls; the enrollment's lock, and the lesson with its scale; the answer, which begins with its people.
    expect(graded.words).toEqual([
      'select membership',
      'begin',
      'select enrollment',
      'select syllabus_lesson',
      'insert training_record',
      'commit',
      'select membership',
    ])
    expectFigure('statements of a grade', graded.words.length)
    const signed = await counted(`/training/records/${graded.id}/sign`, {})
    // The same, with what the lesson credits; the answer is the record and the posted credit.
    expect(signed.words).toEqual([
      'select membership',
      'begin',
      'select enrollment',
      'select training_record',
      'select syllabus_lesson',
      'select syllabus_credit',
      'update training_record',
      'insert credit_entry',
      // The seal: what was signed, the number of the last seal, and its row.
      'select training_record',
      'select last_seal_number',
      'insert seal',
      'with event',
      'commit',
      'select membership',
      'select membership',
    ])
    expectFigure('statements of a signature on a record', signed.words.length)
  })
})
