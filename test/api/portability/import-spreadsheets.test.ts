import { describe, expect } from 'vitest'
import { schoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { importAs, importTwice } from '../../support/imports.ts'

const test = schoolTest()

describe('files as spreadsheets and address books write them (§Imports)', () => {
  test('bring in members from the headings of an address book, and find them again', async ({ api, school }) => {
    const text = [
      'First Name,Last Name,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Value,Notes',
      'Ana,Ruiz,ana@book.example,,+1 510 555 0101,"Two\r\nlines"',
      'Bo,Lund,,bo@book.example,,',
    ].join('\r\n')
    const { first, second, ids } = await importTwice(api, school.admin, 'members', text)
    expect([first, second]).toEqual([
      ['created', 'created'],
      ['unchanged', 'unchanged'],
    ])
    const [ana, bo] = await Promise.all(
      ids.map((id) => expectOk<{ user: object }>(api, school.admin, 'GET', `/orgUsers/${id}`)),
    )
    expect(ana!.user).toMatchObject({ name: 'Ana Ruiz', email: 'ana@book.example', phone: '+1 510 555 0101' })
    expect(bo!.user).toMatchObject({ name: 'Bo Lund', email: 'bo@book.example' })
  })

  test('may say their delimiter, and have a comma before decimals where semicolons separate', async ({
    api,
    school,
  }) => {
    const text = 'sep=;\r\nname;hobbs;tach;wet rate\r\nSkyhawk;1.234,5;1000,25;18500\r\n'
    const { operation, rows } = await importAs(api, school.admin, { kind: 'resources', text })
    expect(operation).toMatchObject({ status: 'done', succeeded: 1 })
    expect(await expectOk(api, school.admin, 'GET', `/resources/${rows[0]!.id}`)).toMatchObject({
      hobbsTime: 1234.5,
      tachTime: 1000.25,
    })
  })

  test('name one aircraft by its registration with and without hyphen', async ({ api, school }) => {
    const file = (...tails: string[]) => `name,tail\n${tails.map((tail) => `Aquila,${tail}\n`).join('')}`
    const first = await importTwice(api, school.admin, 'resources', file('D-EABC', 'D EABC'))
    expect([first.first, first.problems[1]]).toEqual([
      ['created', 'refused'],
      'null: is the same as in row 1; a file can have each record only once',
    ])
    for (const tail of ['DEABC', 'd eabc', 'D\u2011EABC']) {
      const again = await importAs(api, school.admin, { kind: 'resources', text: file(tail) })
      expect(again.rows).toMatchObject([{ outcome: 'unchanged', id: first.ids[0] }])
    }
    const approvals = `member,aircraft\n${school.student.email},DEABC\n${school.renter.email},D-EABC\n`
    expect((await importTwice(api, school.admin, 'approvals', approvals)).second).toEqual(['unchanged', 'unchanged'])
    const twice = `member,aircraft\n${school.student.email},DEABC\n${school.student.email},D EABC\n`
    expect((await importAs(api, school.admin, { kind: 'approvals', text: twice })).outcomes[1]).toBe('refused')
  })

  test('change no record when a registration or a name is that of two, and say so', async ({ api, school }) => {
    // The registration is free text, so the desk can give two aircraft one.
    const { location } = school
    const add = (path: string, body: object) => expectOk<{ id: number }>(api, school.admin, 'POST', path, body)
    const plane = (tailNumber: string) =>
      add('/resources', { name: 'Aquila', location: { id: location.id }, type: { plane: {} }, tailNumber })
    const planes = [await plane('D-EABD'), await plane('DEABD')]
    await Promise.all(planes.map(({ id }) => expectOk(api, school.admin, 'GET', `/resources/${id}`)))
    const several = expect.stringContaining('is the name of several')
    const refused = (column: string) => [{ outcome: 'refused', problems: [{ column, message: several }] }]
    const put = async (kind: string, text: string) => (await importAs(api, school.admin, { kind, text })).rows
    const file = 'name,tail,make\nAquila,D EABD,Aquila\n'
    expect(await put('resources', file)).toMatchObject(refused('tailNumber'))
    expect(await put('resources', 'name,make\nAquila,Aquila\n')).toMatchObject(refused('name'))
    await add('/locations', { name: 'Twin', address: {} })
    await add('/locations', { name: 'twin', address: {} })
    expect(await put('locations', 'name,airport\nTwin,KHWD\n')).toMatchObject(refused('name'))
    expect(await put('resources', 'name,location\nNew,Twin\n')).toMatchObject(refused('location'))
  })

  test('say that two people cannot share one address', async ({ api, school }) => {
    const text = 'name,email\nAna Ruiz,family@book.example\nBo Ruiz,Family@book.example\n'
    const { rows } = await importAs(api, school.admin, { kind: 'members', text })
    expect(rows).toMatchObject([
      { outcome: 'created' },
      {
        outcome: 'refused',
        problems: [{ column: 'email', message: expect.stringContaining('is the address of row 1 too') }],
      },
    ])
  })

  test('say that somebody gets the name of another with the address, unless the row has an id of theirs', async ({
    api,
    school,
  }) => {
    const put = async (text: string) => (await importAs(api, school.admin, { kind: 'members', text })).rows[0]!
    const { id } = await put('id,name,email\nM-1,Ana Ruiz,family@two.example\n')
    expect(await put('name,email\nANA RUIZ,family@two.example\n')).toMatchObject({ id, problems: [] })
    expect(await put('name,email\nBo Ruiz,family@two.example\n')).toMatchObject({
      outcome: 'updated',
      id,
      problems: [{ column: 'name', message: expect.stringContaining('if these are two people') }],
    })
    expect(await put('id,name,email\nM-1,Bo Lund,family@two.example\n')).toMatchObject({
      outcome: 'updated',
      id,
      problems: [],
    })
  })

  test('leave out a birthday without a year, and the rest of the row is done', async ({ api, school }) => {
    const text = 'name,birthday\nDi Yearless,--05-14\nEd Yearless,--0514\nFi Wrong,--05\n'
    const { outcomes, rows } = await importAs(api, school.admin, { kind: 'members', text })
    expect(outcomes).toEqual(['created', 'created', 'refused'])
    const profile = await expectOk<object>(api, school.admin, 'GET', `/orgUsers/${rows[0]!.id}/profile`)
    expect(profile).toMatchObject({ birthDate: null })
  })

  test('refuse a row with what a spreadsheet broke, and the others are done', async ({ api, school }) => {
    const text = 'name,phone,birthday\nAna Broken,1.5105550100E+10,\nBo Fine,,14-May-1990\nCy Broken,#REF!,########\n'
    const { outcomes, rows } = await importAs(api, school.admin, { kind: 'members', text })
    expect(outcomes).toEqual(['refused', 'created', 'refused'])
    expect(rows[2]!.problems.map(({ column }) => column)).toEqual(['phone', 'birthDate'])
    expect(await expectOk(api, school.admin, 'GET', `/orgUsers/${rows[1]!.id}/profile`)).toMatchObject({
      birthDate: '1990-05-14',
    })
  })
})
