y 3
  .
 B W
. . .
