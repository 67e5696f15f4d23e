import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExampleFiles } from './example-files.ts'

/** `npm run demo:files -- <folder>`: writes the example files of imports into a folder, with dates that are relative to today. */
const [folder = '.'] = process.argv.slice(2)
for (const [kind, text] of readExampleFiles(new Date())) writeFileSync(join(folder, `${kind}.csv`), text)
