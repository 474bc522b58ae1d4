/*
 * How entries of history become events with contiguous numbers: a model of number_events(), of the transactions whose
 * entries it numbers, and of the snapshots through which it sees them. Spin tries every interleaving.
 *
 * The rule, for one run of the sequencer:
 *
 *   1. It takes the advisory lock, and its snapshot after that. Everything below is seen in this one snapshot.
 *   2. The frontier is the highest position that has a number. Visible entries beyond it, and visible ones in remembered
 *      gaps, are numbered in the order of position, at most BATCH at a time.
 *   3. What is missing between the frontier and the last position of the batch is a gap. It is remembered with a
 *      transaction id that was assigned after the snapshot: that of the sequencer itself.
 *   4. A gap is forgotten when it is still missing in a snapshot whose xmin is greater than that id, unless the batch was
 *      full. Whoever left it has rolled back.
 *   5. Numbers and gaps are stored in the same transaction, so that any replica can go on.
 *
 * What the rule relies on: a transaction has its id before it draws a position (the trigger runs after the row was
 * written, and the sequence has CACHE 1), and whoever writes a record keeps its row locked until it ends.
 *
 * Why it holds: whoever left a gap drew its position before a later one was drawn, so before the snapshot that saw the
 * gap; its id is older than that, and less than the one remembered. When every running transaction is newer, it has ended.
 *
 * Properties: nothingIsLost (every committed entry has a number in the end), numberedOnce, recordInOrder (the changes of
 * one record are numbered in the order in which they were made), contiguous.
 *
 * Each of these breaks one condition, and Spin has to find what it leads to:
 *   FORGET_BY_XMAX         a gap is forgotten by the snapshot's xmax, which running transactions may be beyond
 *   BOUND_BEFORE_SNAPSHOT  the id that is remembered was assigned before the snapshot
 *   XMIN_AFTER_LOOK        xmin is read from a later snapshot than the one in which the gap is missing
 *   FORGET_IN_FULL_BATCH   gaps are forgotten although the batch had no room for all entries
 *   POSITION_BEFORE_ID     positions are drawn before their transaction has an id, as from a sequence with a cache
 *   TWO_SNAPSHOTS          gaps are looked for in one snapshot, entries beyond the frontier in a later one
 *   SNAPSHOT_BEFORE_LOCK   the snapshot is older than the lock, as in a single statement that does both
 */

#define WRITERS 3
#define POSITIONS 4
#define ENTRIES 3 /* of one transaction, at most */
#define BATCH 2
#define RECORDS 2
#ifndef KILLS
#define KILLS 1 /* of a sequencer before its commit */
#endif

/* What PostgreSQL keeps. Transaction ids are small here, so that a bit stands for each. */
byte nextID = 1;
byte lastCompleted = 0;
int running = 0;   /* the list of running transactions */
int committed = 0; /* the commit log */
byte rowLock[RECORDS];
bool advisoryLock = false;

/* history, by position: the id of the transaction that wrote the entry, and the record it is about. */
byte lastPosition = 0;
byte writtenBy[POSITIONS + 1];
byte recordOf[POSITIONS + 1];

/* events, by position: the number, and the id of the transaction that gave it. */
byte numberOf[POSITIONS + 1];
byte numberedBy[POSITIONS + 1];
/* The gaps that the last event remembers, by position: the id that has to be older than all that run. */
byte gap[POSITIONS + 1];

byte started = 0;
byte ended = 0;
byte kills = 0;

/* What Spin prints when it does not hold. */
bool nothingIsLost = true;
bool numberedOnce = true;
bool recordInOrder = true;
bool contiguous = true;

#define has(bits, id) (((bits) >> (id)) & 1)

inline takeID(id) {
  id = nextID;
  nextID++;
  running = running | (1 << id)
}

/* A commit is in the log before this. */
inline leaveRunning(id) {
  running = running & ~(1 << id);
  lastCompleted = (id > lastCompleted -> id : lastCompleted)
}

inline takeSnapshot() {
  xmax = lastCompleted + 1;
  inProgress = running & ((1 << xmax) - 1);
  xmin = 1;
  do
  :: xmin < xmax && !has(inProgress, xmin) -> xmin++
  :: else -> break
  od;
  skip /* a loop must not be the last in a d_step */
}

#define isVisible(id) ((id) != 0 && (id) < xmax && !has(inProgress, id) && has(committed, id))

#define canDraw(record) (lastPosition < POSITIONS && (rowLock[record] == 0 || rowLock[record] == me + 1))

/* Writers are alike, so nothing is left out when they begin in order. */
proctype Writer(byte me) {
  byte id = 0;
  byte entries = 0;
  byte record = 0;
  byte position = 0;

  atomic {
    started == me -> started++;
#ifndef POSITION_BEFORE_ID
    takeID(id)
#endif
  }
  do
  :: entries < ENTRIES && lastPosition < POSITIONS ->
    atomic {
      /* In the order of the records, so that writers do not wait for each other in a circle. */
      if
      :: canDraw(record)
      :: record + 1 < RECORDS && canDraw(record + 1) -> record++
      :: lastPosition == POSITIONS -> break
      fi;
      rowLock[record] = me + 1;
      lastPosition++;
      position = lastPosition;
#ifdef POSITION_BEFORE_ID
    }
    atomic {
      if
      :: id == 0 -> takeID(id)
      :: else
      fi;
#endif
      writtenBy[position] = id;
      recordOf[position] = record;
      position = 0;
      entries++
    }
  :: entries > 0 || lastPosition == POSITIONS -> break
  od;

  if
  :: committed = committed | (id == 0 -> 0 : 1 << id)
  :: true /* rolled back, or killed */
  fi;
  d_step {
    leaveRunning(id);
    for (record : 0 .. RECORDS - 1) {
      rowLock[record] = (rowLock[record] == me + 1 -> 0 : rowLock[record])
    }
    ended++;
    id = 0; record = 0; entries = 0
  }
}

inline findFrontier() {
  frontier = 0;
  for (p : 1 .. POSITIONS) {
    frontier = (isVisible(numberedBy[p]) -> p : frontier)
  }
  p = 0
}

inline lookInGaps() {
  for (p : 1 .. POSITIONS) {
    if
    :: p <= frontier && gap[p] != 0 && isVisible(writtenBy[p]) && size < BATCH -> batch = batch | (1 << p); size++; last = p
    :: else
    fi
  }
  p = 0
}

inline lookBeyondFrontier() {
  for (p : 1 .. POSITIONS) {
    if
    :: p > frontier && isVisible(writtenBy[p]) && size < BATCH -> batch = batch | (1 << p); size++; last = p
    :: else
    fi
  }
  p = 0
}

#ifdef FORGET_BY_XMAX
#define BOUND (xmax - 1)
#else
#ifdef BOUND_BEFORE_SNAPSHOT
#define BOUND earlier
#else
#define BOUND id
#endif
#endif

#ifdef FORGET_IN_FULL_BATCH
#define KEEPS_ALL false
#else
#define KEEPS_ALL (size == BATCH)
#endif

inline judgeGaps() {
  toForget = 0;
  for (p : 1 .. POSITIONS) {
    if
    :: gap[p] != 0 && xmin > gap[p] && !KEEPS_ALL -> toForget = toForget | (1 << p)
    :: else
    fi
  }
  p = 0
}

inline giveNumbers() {
  lastNumber = 0;
  for (p : 1 .. POSITIONS) {
    lastNumber = (isVisible(numberedBy[p]) && numberOf[p] > lastNumber -> numberOf[p] : lastNumber)
  }
  for (p : 1 .. POSITIONS) {
    if
    :: has(batch, p) ->
      numberedOnce = !has(committed, numberedBy[p]);
      assert(numberedOnce);
      for (later : p + 1 .. POSITIONS) {
        recordInOrder = recordInOrder && !(recordOf[later] == recordOf[p] && has(committed, numberedBy[later]))
      }
      assert(recordInOrder);
      lastNumber++;
      numberOf[p] = lastNumber;
      numberedBy[p] = id
    :: else
    fi
  }
  p = 0
}

inline storeGaps() {
  for (p : 1 .. POSITIONS) {
    if
    :: has(batch, p) || has(toForget, p) -> gap[p] = 0
    :: !has(batch, p) && p > frontier && p < last -> gap[p] = BOUND
    :: else
    fi
  }
  p = 0
}

/* All writers have ended, and nothing was left to number. */
inline checkTheEnd() {
  size = 0;
  batch = 0;
  for (p : 1 .. POSITIONS) {
    nothingIsLost = nothingIsLost && has(committed, writtenBy[p]) == has(committed, numberedBy[p]);
    if
    :: has(committed, numberedBy[p]) -> size++; batch = batch | (1 << numberOf[p])
    :: else
    fi
  }
  assert(nothingIsLost);
  contiguous = (batch == (2 << size) - 2);
  assert(contiguous)
}

/* So that states that differ only in what is over are one. */
inline forgetTheRun() {
  id = 0; earlier = 0; xmin = 0; xmax = 0; inProgress = 0; frontier = 0; last = 0; size = 0; batch = 0; toForget = 0;
  lastNumber = 0; p = 0; later = 0
}

proctype Sequencer() {
  byte id, earlier, xmin, xmax, frontier, last, size, lastNumber, p, later;
  int inProgress, batch, toForget;
  bool writersEnded;

  do
  :: true ->
#ifdef SNAPSHOT_BEFORE_LOCK
    d_step { writersEnded = (ended == WRITERS); takeSnapshot() }
    atomic { !advisoryLock -> advisoryLock = true }
    d_step { findFrontier(); lookInGaps(); lookBeyondFrontier(); judgeGaps() }
#else
    atomic { !advisoryLock -> advisoryLock = true }
#ifdef BOUND_BEFORE_SNAPSHOT
    earlier = nextID - 1;
#endif
    d_step {
      writersEnded = (ended == WRITERS);
      takeSnapshot();
      findFrontier();
      lookInGaps();
#ifdef TWO_SNAPSHOTS
    }
    d_step {
      takeSnapshot();
#endif
      lookBeyondFrontier();
#ifdef XMIN_AFTER_LOOK
    }
    d_step {
      takeSnapshot();
#endif
      judgeGaps()
    }
#endif
    if
    :: batch != 0 ->
      d_step { takeID(id); giveNumbers() }
      if
      :: d_step { committed = committed | (1 << id); storeGaps() }
      :: kills < KILLS -> kills++
      fi;
      d_step { leaveRunning(id); advisoryLock = false; forgetTheRun() }
    :: batch == 0 && writersEnded -> d_step { checkTheEnd(); advisoryLock = false; forgetTheRun() }; break
    :: batch == 0 && !writersEnded -> d_step { advisoryLock = false; forgetTheRun() }
    fi
  od
}

init {
  atomic {
    run Writer(0);
    run Writer(1);
    run Writer(2);
    run Sequencer();
    run Sequencer()
  }
}
