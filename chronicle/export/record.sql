-- The record of a campaign as a database. Everything refers to entries by their number; entries that
-- are kept secret have a number and nothing else. Texts in `fiction` and `talk` are Markdown.

CREATE TABLE about (                 -- the campaign itself
  key TEXT PRIMARY KEY,              -- title, game, strictness, language, licence, situation, made by, ...
  value TEXT NOT NULL
);

CREATE TABLE players (
  seat INTEGER PRIMARY KEY,          -- clockwise, from 1; whoever runs the game comes last
  name TEXT NOT NULL UNIQUE,
  runs_the_game INTEGER NOT NULL     -- 1 or 0, as every yes and no here
);

CREATE TABLE sessions (
  number INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  date TEXT NOT NULL,                -- as it was written, empty where nobody wrote it
  summary TEXT NOT NULL,
  first_entry INTEGER,
  last_entry INTEGER
);

CREATE TABLE attendance (            -- who was at the table
  session INTEGER NOT NULL REFERENCES sessions (number),
  player TEXT NOT NULL REFERENCES players (name),
  present INTEGER NOT NULL,
  PRIMARY KEY (session, player)
);

CREATE TABLE scenes (
  number INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  session INTEGER REFERENCES sessions (number),
  frame TEXT NOT NULL,               -- now, or where in story time it was framed
  time TEXT NOT NULL,
  place TEXT NOT NULL,
  opener TEXT NOT NULL,              -- who framed it
  first_entry INTEGER,
  last_entry INTEGER,
  closing TEXT NOT NULL,
  branch INTEGER,                    -- the scene that a branch of the story left from
  continues INTEGER REFERENCES scenes (number),
  story_order INTEGER                -- its place in story time, from 1
);

CREATE TABLE casts (                 -- who was in a scene
  scene INTEGER NOT NULL REFERENCES scenes (number),
  name TEXT NOT NULL,
  PRIMARY KEY (scene, name)
);

CREATE TABLE scene_marks (           -- what a game says of a scene: its Layer, its Episode
  scene INTEGER NOT NULL REFERENCES scenes (number),
  mark TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (scene, mark)
);

CREATE TABLE entries (               -- the log, in the order of play
  number INTEGER PRIMARY KEY,
  hidden INTEGER NOT NULL,           -- kept secret: the rest is empty
  anchor TEXT,                       -- its address on the page of its session
  session INTEGER REFERENCES sessions (number),
  scene INTEGER REFERENCES scenes (number),
  parent INTEGER REFERENCES entries (number), -- the entry in whose block it stands
  verb TEXT,
  player TEXT,                       -- whose act it was; empty: the table's
  speaker TEXT,
  headline TEXT,
  fiction TEXT,
  talk TEXT,
  file TEXT,                         -- the log as it is exported beside the record
  line INTEGER                       -- of the entry in that file; an entry in a block has its parent's
);

CREATE TABLE links (                 -- an entry and another one that it refers to
  entry INTEGER NOT NULL REFERENCES entries (number),
  other INTEGER NOT NULL REFERENCES entries (number),
  PRIMARY KEY (entry, other)
);

CREATE TABLE events (                -- what an entry did, sentence by sentence
  entry INTEGER NOT NULL REFERENCES entries (number),
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  rule TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,             -- what it happened to: an id of `names`, or empty
  PRIMARY KEY (entry, position)
);

CREATE TABLE contests (              -- throws in which dice were held against each other
  entry INTEGER PRIMARY KEY REFERENCES entries (number),
  title TEXT NOT NULL,
  score TEXT NOT NULL,
  unit TEXT NOT NULL,
  outcome TEXT NOT NULL,             -- one sentence a line
  odds TEXT NOT NULL,
  rule TEXT NOT NULL
);

CREATE TABLE sides (                 -- one side of a contest
  id INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL REFERENCES contests (entry),
  round INTEGER NOT NULL,            -- 0 decided; earlier rounds, tied and thrown again, count from 1
  name TEXT NOT NULL,
  player TEXT NOT NULL,
  sources TEXT NOT NULL,             -- where its dice came from, one a line
  result TEXT NOT NULL,
  won INTEGER NOT NULL
);

CREATE TABLE dice (                  -- every die of a side
  side INTEGER NOT NULL REFERENCES sides (id),
  position INTEGER NOT NULL,
  die TEXT NOT NULL,
  face TEXT NOT NULL,
  colour TEXT NOT NULL,
  hit INTEGER NOT NULL,
  extra INTEGER NOT NULL,            -- thrown for another die
  void INTEGER NOT NULL,             -- it did not count
  PRIMARY KEY (side, position)
);

CREATE TABLE faces (                 -- every die that fell, in a contest or not: for questions of luck
  entry INTEGER NOT NULL REFERENCES entries (number),
  position INTEGER NOT NULL,
  die TEXT NOT NULL,
  face TEXT NOT NULL,
  player TEXT NOT NULL,
  PRIMARY KEY (entry, position)
);

CREATE TABLE postings (              -- every movement: what leaves one account comes into another
  id INTEGER PRIMARY KEY,
  entry INTEGER REFERENCES entries (number),  -- empty: before the first one
  session INTEGER REFERENCES sessions (number),
  source TEXT NOT NULL,
  target TEXT NOT NULL,
  amount INTEGER NOT NULL,
  unit TEXT NOT NULL,
  rule TEXT NOT NULL,
  why TEXT NOT NULL
);

CREATE TABLE balances (              -- at the end; per unit they add up to zero
  account TEXT NOT NULL,
  unit TEXT NOT NULL,
  amount INTEGER NOT NULL,
  at_most INTEGER NOT NULL,          -- 1: it may be less, since nobody knows who paid something
  PRIMARY KEY (account, unit)
);

CREATE TABLE names (                 -- everything that can be referred to
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL
);

CREATE TABLE aliases (
  name TEXT NOT NULL REFERENCES names (id),
  alias TEXT NOT NULL,
  PRIMARY KEY (name, alias)
);

CREATE TABLE findings (              -- what the check says
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL,                -- a rule of the game or of the format
  severity TEXT NOT NULL,
  finding TEXT NOT NULL,             -- the class of it
  message TEXT NOT NULL,
  entry INTEGER REFERENCES entries (number),
  file TEXT NOT NULL,
  line INTEGER NOT NULL              -- of the entry in the exported log; 0: about no entry that is shown
);

CREATE TABLE rules_used (            -- which rule mattered where
  rule TEXT NOT NULL,
  entry INTEGER NOT NULL REFERENCES entries (number),
  PRIMARY KEY (rule, entry)
);

CREATE TABLE rulings_used (          -- where the reading of a silent point mattered
  ruling TEXT NOT NULL,
  entry INTEGER NOT NULL REFERENCES entries (number),
  PRIMARY KEY (ruling, entry)
);

CREATE INDEX entries_by_scene ON entries (scene);
CREATE INDEX entries_by_player ON entries (player);
CREATE INDEX postings_by_entry ON postings (entry);
CREATE INDEX events_by_subject ON events (subject);

CREATE VIEW movements AS             -- every posting from both ends, with the balance after it
SELECT id, entry, session, account, other, unit, change,
       sum(change) OVER (PARTITION BY account, unit ORDER BY id, change) AS balance, rule, why
FROM (
  SELECT id, entry, session, source AS account, target AS other, unit, -amount AS change, rule, why
  FROM postings
  UNION ALL
  SELECT id, entry, session, target, source, unit, amount, rule, why FROM postings
)
ORDER BY id;

CREATE VIEW sums_by_session AS       -- what every account won and lost in an evening
SELECT session, account, unit, sum(change) AS change
FROM movements GROUP BY session, account, unit;

CREATE VIEW rule_counts AS           -- how often each rule mattered
SELECT rule, count(*) AS entries FROM rules_used GROUP BY rule ORDER BY entries DESC, rule;

CREATE VIEW verb_counts AS           -- what each player did, and how often
SELECT player, verb, count(*) AS entries
FROM entries WHERE NOT hidden GROUP BY player, verb ORDER BY player, entries DESC, verb;

CREATE VIEW luck AS                  -- how each player's dice fell
SELECT player, die, face, count(*) AS times
FROM faces GROUP BY player, die, face ORDER BY player, die, face;

CREATE VIEW appearances AS           -- who was in which scene, in story order
SELECT casts.name, scenes.number AS scene, scenes.title, scenes.session, scenes.story_order
FROM casts JOIN scenes ON scenes.number = casts.scene ORDER BY casts.name, scenes.story_order;
