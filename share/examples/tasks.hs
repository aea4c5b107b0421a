-- SPDX-License-Identifier: ISC

-- The tasks of tasks.go, in Haskell: primes and sorted words.  README.md says how the
-- profile beside this file was made.
import Data.List (sort)

isPrime :: Int -> Bool
isPrime n = n > 1 && all (\i -> n `mod` i /= 0) (takeWhile (\i -> i * i <= n) [2 ..])

countPrimes :: Int -> Int
countPrimes most = length (filter isPrime [0 .. most - 1])

firstWord :: Int -> String
firstWord n = head (sort ["w" ++ show (i * 7919 `mod` 1000003) | i <- [0 .. n - 1]])

main :: IO ()
main = do
  print (countPrimes 400000)
  putStrLn (firstWord 200000)
