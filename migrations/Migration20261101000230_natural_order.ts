import { Migration } from '@mikro-orm/migrations'

/** The order of people's lists: upper and lower case and accents alike, numbers inside of a text by value. */
export class Migration20261101000230_natural_order extends Migration {
  override up(): void {
    this.addSql(`
      create collation natural_order (
        provider = icu, locale = 'en-u-kn-true-ks-level1', deterministic = false)`)
  }
}
