import { Migration } from '@mikro-orm/migrations'

/**
 * Addresses of members without an account have their domain in ASCII (Punycode, RFC 3492), as new ones are written. An address
 * stays that another member of the organization has in ASCII already.
 */
export class Migration20261126024514_ascii_domains extends Migration {
  override up(): void {
    this.addSql(`create function pg_temp.ascii_label(label text) returns text language plpgsql as $$
      declare
        points int[] := array(select ascii(letter) from regexp_split_to_table(label, '') with ordinality as t (letter, at) order by at);
        plain text := regexp_replace(label, '[^\\x01-\\x7f]', '', 'g');
        made text := case when plain = '' then '' else plain || '-' end;
        digits text := 'abcdefghijklmnopqrstuvwxyz0123456789';
        n int := 128; delta int := 0; bias int := 72; done int := length(plain);
        point int; q int; k int; t int;
      begin
        if done = length(label) then return label; end if;
        while done < length(label) loop
          select min(p) into point from unnest(points) p where p >= n;
          delta := delta + (point - n) * (done + 1);
          n := point;
          foreach point in array points loop
            if point < n then delta := delta + 1; end if;
            if point = n then
              q := delta; k := 36;
              loop
                t := greatest(1, least(26, k - bias));
                exit when q < t;
                made := made || substr(digits, t + (q - t) % (36 - t) + 1, 1);
                q := (q - t) / (36 - t); k := k + 36;
              end loop;
              made := made || substr(digits, q + 1, 1);
              delta := case when done = length(plain) then delta / 700 else delta / 2 end;
              delta := delta + delta / (done + 1);
              k := 0;
              while delta > 455 loop delta := delta / 35; k := k + 36; end loop;
              bias := k + 36 * delta / (delta + 38);
              delta := 0; done := done + 1;
            end if;
          end loop;
          delta := delta + 1; n := n + 1;
        end loop;
        return 'xn--' || made;
      end $$`)
    this.addSql(`with written as (
        select m.id, m.organization_id, split_part(m.search_email, '@', 1) || '@' || (
          select string_agg(pg_temp.ascii_label(label), '.' order by at)
          from unnest(string_to_array(lower(normalize(split_part(m.search_email, '@', 2), NFKC)), '.')) with ordinality as t (label, at)
        ) as email
        from membership m where m.account_id is null and split_part(m.search_email, '@', 2) ~ '[^\\x01-\\x7f]'
      )
      update membership m set search_email = w.email from written w
      where m.organization_id = w.organization_id and m.id = w.id and not exists (
        select 1 from membership o where o.organization_id = w.organization_id and o.search_email = w.email and o.removed_at is null)`)
  }
}
