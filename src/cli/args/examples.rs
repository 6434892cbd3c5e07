//! What the help shows below the options of each command: examples, and what exit codes mean. The board of an example is one
//! of the first game in the list of games: `{game}` stands for its word.

use gamesat::play::named;
use gamesat::rules::games;

pub const PROGRAM: &str = "\
Examples:
  gamesat formula.qdimacs.gz                  is this QBF true?
  gamesat solve game.gsat --all-moves         who wins, and by which moves?
  gamesat solve board.{game}                     who wins on this board?
  gamesat -e 'forall x exists y: x == y'      a formula on the command line
  cat formula.qcir | gamesat solve - --json   in a pipeline

Exit codes: 10 true / MAX wins, 20 false / MIN wins, 30 a draw,
            0 unknown or success, 1 bad input, 2 wrong usage.
More: gamesat help COMMAND, gamesat help engines, gamesat help techniques.";

pub const SOLVE: &str = "\
Examples:
  gamesat solve formula.qdimacs --qdo         with values of the outermost block
  gamesat solve game.gsat --turn min          MIN moves first
  gamesat solve -e 'x == y' --stars 1         a game with one element outside the formula
  gamesat solve big.qdimacs.xz --time-limit 5m --memory-limit 2000 --stats
  gamesat solve a.qdimacs b.qcir folder --jobs 4 --time-limit 60 --json
                                              a batch: one line for each problem

In a batch --certificate and --strategy name a folder. Its exit code is 0 if every problem could be read, else 1.
Exit codes: 10 true / MAX wins, 20 false / MIN wins, 30 a draw, 0 unknown, 1 bad input, 2 wrong usage.";

pub const CONVERT: &str = "\
Examples:
  gamesat convert game.gsat --to gamesat-dnf       CNF to prime DNF
  gamesat convert -e 'a & (b | c)' --to gamesat-cnf
  gamesat convert formula.qcir --to qdimacs -o formula.qdimacs
  gamesat convert formula.qdimacs --to qdimacs --minimise";

pub const SIMPLIFY: &str = "\
Examples:
  gamesat simplify formula.qdimacs | depqbf
  gamesat simplify formula.qdimacs --stats --without expansion,elimination
  gamesat simplify formula.qcir --only unit_propagation,pure_literals
  gamesat simplify {game} 4 --moves 'd1 b3'      the game that is left, captured sets filled in

A formula that simplification decides is printed as 'p cnf 0 0' (true) or 'p cnf 0 1' and '0' (false).
Exit codes: 10 decided true, 20 decided false, 0 not decided, 1 bad input, 2 wrong usage.";

pub const ANALYSE: &str = "\
Examples:
  gamesat analyse -e 'x & (y | z)'            class, winning moves, and why the others are not
  gamesat analyse {game} 4 --moves 'd1 b3'       captured, dominated and losing cells
  gamesat analyse {game} 3 --set a1,b1           one set under the glass
  gamesat analyse board.{game} --to html -o board.html
  gamesat analyse {game} 6 --static              without any search

Exit codes: 0 success, 1 bad input or not finished, 2 wrong usage; with --verdict as 'solve'.";

pub const COMPOSE: &str = "\
Examples:
  gamesat compose and left.gsat right.gsat | gamesat classify -
  gamesat compose maj a.gsat b.gsat c.gsat -o match.infix

Elements with the same name are the same; elements without a name never are.";

pub const STATS: &str = "\
Examples:
  gamesat stats {game} 5                         winning sets of both players: number, length, weight
  gamesat stats {game} 4 --moves 'b2 c3'         the same after each move
  gamesat stats -e 'a & (b | c)' --json";

pub const VALUE: &str = "\
Examples:
  gamesat value {game} 3 --coinflip              a coin says who moves
  gamesat value {game} 8 --random-play --samples 20000 --seed 1
  gamesat value {game} 11 --two-distance
  gamesat value y 6 --y-reduction";

pub const CLASSIFY: &str = "\
Examples:
  gamesat classify -e 'x == y'                who wins, with and without a star, and the canonical form
  gamesat classify -e '!x | y' --rule own
  gamesat classify {game} 3 --moves b2
  gamesat classify --all 4                    how many functions of four elements have each form

Exit codes: 0 success, 1 bad input or not finished, 2 wrong usage.";

pub const CHECK: &str = "\
Examples:
  gamesat check formula.qdimacs proof.aag     Skolem or Herbrand functions as ASCII AIGER
  gamesat check formula.qdimacs proof.ref     a refutation by expansion, of a false formula
  gamesat check formula.qdimacs proof.con     a confirmation, of a true one
  gamesat check game.gsat proof.strategy      a player's strategy
  gamesat check game.gsat proof.strategy --reduced smaller.gsat
                                              a strategy of what 'gamesat simplify game.gsat' printed

Exit codes: 0 accepted, 3 rejected, 1 bad input or not finished, 2 wrong usage.";

pub const GENERATE: &str = "\
Examples:
  gamesat generate                            the families and their parameters
  gamesat generate kbkf n=12
  gamesat generate random clauses=260 vars=20 exists=3 forall=2 --seed 1
  gamesat generate counter bits=4 squarings=4 --to qcir
  gamesat generate game-random elements=30 rows=60 size=4 | gamesat solve -
  gamesat generate dots moves=12 --seed 5 | gamesat solve - --all-moves";

pub const ENCODE: &str = "\
Examples:
  gamesat encode {game} 4 --to gamesat-cnf | gamesat solve -
  gamesat encode {game} 5x4 --moves 'b2 c3' --to gamesat-dnf
  gamesat encode board.{game} --to qdimacs --depth 11 > bounded.qdimacs
  gamesat encode game.sgf --moves 'a3' --to board
  gamesat encode line 3x3 3 --to qcir --encoding lifted
  gamesat encode connect 5x3 3 --depth 9 --to qdimacs
  gamesat encode dots 1x2 --threshold 1 --to qcir
  gamesat encode game.gsat --to qdimacs";

pub const SPLIT: &str = "\
Examples:
  gamesat split {game} 7 --moves a2 --cubes 64 -o cut
  gamesat solve {game} 7 --moves a2 --cube 3 --manifest cut      a result of its own for every cube
  gamesat solve {game} 7 --moves a2 --manifest cut               a worker, together with others on the folder
  gamesat join cut                                            who wins, or what is missing
  gamesat split formula.qdimacs --cubes 100 -o cut --slurm    and a script for sbatch
  gamesat split --again 3 --cubes 8 -o cut                    cut cube 3 again";

pub const JOIN: &str = "\
Examples:
  gamesat join cut --proof whole.strategy && gamesat check board.{game} whole.strategy
  gamesat join cut --prune                                    cubes that are no longer needed

Exit codes: 10 true / MAX wins, 20 false / MIN wins, 0 not known yet, 1 bad input, 2 wrong usage.";

pub const PLAY: &str = "\
Examples:
  gamesat play {game} 6                          you begin
  gamesat play {game} 11 --side white --seconds 2
  gamesat play -e '(a | b) & (c | d) & (b | c)'
  gamesat play formula.qdimacs --side forall  choose the universal variables
  gamesat play {game} 7 --web                    in a browser
  echo 'c3 quit' | tr ' ' '\\n' | gamesat play {game} 5

'help' lists what can be said during a game. Exit codes: 10 MAX has won, 20 MIN has won, 30 a draw, 0 not over.";

pub const SERVE: &str = "\
Example:
  printf 'game {game} 4\\nplay a1\\ngenmove 1\\nwinner\\nquit\\n' | gamesat serve

Requests: game FILE|BOARD, side max|min, play MOVE, genmove [SECONDS], undo, winner, analyse, moves, quit.";

pub const HTP: &str = "\
Example:
  printf 'boardsize 5 5\\nplay black c3\\ngenmove white\\nquit\\n' | gamesat htp

In HexGui: Program, New, and the command 'gamesat htp --seconds 10'.";
pub const BOOK: &str = "\
Examples:
  gamesat book {game} 4 --plies 2 --record {game}4.book     every position after up to two moves, up to symmetry
  gamesat book {game} 6 --plies 1 --seconds 5 --record {game}6.book --time-limit 60
                                              for a minute; a second run goes on from there
  gamesat solve {game} 4 --moves a1 --book {game}4.book
  gamesat book -e 'a & (b | c)' --strong --record abc.bits
  gamesat solve -e 'a & (b | c)' --moves b --book abc.bits

A line 'b MOVES MOVER WINNER NODES TRACE WINNING-MOVES' is a position; '-' are no moves. A player who offers the other one to swap
sides does so after an opening that is a close call: the last lines list those that took most nodes.
";

pub const OPENINGS: &str = "\
Examples:
  gamesat openings {game} 5                      a map of the openings of 5x5
  gamesat openings {game} 8 --record {game}8.txt --time-limit 3600
                                              for an hour; a second run goes on from there

In the map '+' is an opening that wins, '-' one that loses, '?' one that is not known. 'o' lines say the same, with the nodes
it took: a symmetric image takes none.";
pub const MATCH: &str = "\
Examples:
  gamesat match policy random dots 5x5 --games 1000
  gamesat match search policy dots 5x5 --games 100 --move-time 0.1 --threads 2
  gamesat match search random position.connect --seed 7 --json

Players:
";

/// A text with the word of a game filled in.
pub fn of(text: &str) -> String {
    text.replace("{game}", games()[0].word)
}

/// What an argument says that takes a board as well.
pub fn board(before: &str) -> String {
    of(&format!("{before}, such as: {{game}} 5"))
}

/// Examples, and the players that there are.
pub fn matches() -> String {
    let list: String = named().iter().map(|named| format!("  {:10} {}\n", named.name, named.about)).collect();
    format!("{MATCH}{}", list.trim_end())
}

/// Examples, and the boards that there are.
pub fn encode() -> String {
    let boards: Vec<String> = games().iter().map(|game| format!("{} {}", game.word, game.words)).collect();
    let files = "files also hold positions, SGF, Shannon graphs and positional games.";
    format!("{}\n\nBoards: {};\n{files}", of(ENCODE), boards.join(", "))
}
